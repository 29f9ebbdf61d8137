#pragma once

#include <cstdint>

#include "base/policy.h"
#include "messages/draw_state.h"

namespace cutaway::structures {

// How a chip keeps depth writes in order, if some draws write before shading and others after it (DX-6). Each
// way is a file of this folder.
//
// The command processor has one, and asks it for the mode of each draw, in order. Each Z and stencil unit has
// one, and asks it which quads must not be tested before shading yet.
class DepthOrder {
 public:
  virtual ~DepthOrder() = default;

  // ---- For the command processor ----
  // When the next draw is tested and writes. Asked again, it gives the same answer.
  virtual arch::DepthMode mode(const messages::DrawState& draw) { return draw.stated_depth_mode(); }
  // A barrier: no draw is under way.
  virtual void drained() {}

  // ---- For a Z and stencil unit ----
  // True if quads at this place may still be tested after shading. late_draws: some earlier draw has not come
  // back whole.
  virtual bool pending(bool late_draws, int32_t /*x*/, int32_t /*y*/) const { return late_draws; }
  // True if it must be told of each quad that is tested after shading, as the next two do.
  virtual bool counts_quads() const { return false; }
  // So many quads to be shaded at this place have passed the unit.
  virtual void passed(int32_t /*x*/, int32_t /*y*/, uint32_t /*quads*/) {}
  // So many have come back, or died.
  virtual void returned(int32_t /*x*/, int32_t /*y*/, uint32_t /*quads*/) {}
};

// Policies are made with the number of counters that they have for quads.
struct DepthOrders : PolicyFamily<DepthOrders, DepthOrder, uint32_t> {};
using DepthOrderName = PolicyName<DepthOrders>;

}  // namespace cutaway::structures
