#pragma once

#include <cstdint>

#include "engine/domain.h"
#include "func/geometry/tessellator.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Divides a patch by the factors that its control program left, and walks the points of its primitives in
// order, as the fixed-function tessellator of DX-11. The first point comes some cycles after the factors.
class DomainWalk {
 public:
  // patch_cycles: from the factors of a patch to the first point.
  explicit DomainWalk(engine::Cycle patch_cycles) : patch_cycles_(patch_cycles) {}

  // Begins the next patch. Returns whether it has points; if not, its factors cull it. Not while active().
  bool begin(engine::Cycle now, const messages::PoolRef<messages::Patch>& patch,
             const messages::DrawState* state, const messages::Origin& origin);

  // Points of the patch are left.
  bool active() const { return static_cast<bool>(patch_); }
  // The patch is active, and its first point is yet to come.
  bool waits(engine::Cycle now) const { return active() && now < starts_; }
  engine::Cycle starts() const { return starts_; }

  // The next point of the primitives, by its number among the points of the domain. Only if active.
  uint32_t point() const { return domain_.indices[next_]; }
  // u, v and w of that point, as floats. w is 0 but in triangles.
  messages::Vec4 coordinate() const;
  void advance();

  const messages::PoolRef<messages::Patch>& patch() const { return patch_; }
  uint32_t number() const { return number_; }  // counts all patches that were begun, from 1 on
  // State and origin of the patch that was begun last, even if it was culled.
  const messages::DrawState* state() const { return state_; }
  const messages::Origin& origin() const { return origin_; }

 private:
  engine::Cycle patch_cycles_;
  messages::PoolRef<messages::Patch> patch_;
  uint32_t number_ = 0;
  uint32_t next_ = 0;  // index into domain_.indices
  engine::Cycle starts_ = 0;
  func::Tessellation domain_;
  bool triangles_ = false;
  const messages::DrawState* state_ = nullptr;
  messages::Origin origin_;
};

}  // namespace cutaway::boxes
