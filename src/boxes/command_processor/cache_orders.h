#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arch/gpu.h"
#include "boxes/command_processor/depth_watch.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The order that FLUSH, INVALIDATE or CLEAR sends to the units that hold the caches it names: which of them
// must get it, and which have not answered. One order is under way at a time. No packet of any queue is
// executed until all have answered. A cache that fills from another one under the same order gets it when the
// other has answered (add_unit): else it could take in a line between the two that the other is to lose.
//
// Hierarchical Z holds bounds of what depth surfaces hold. It forgets them at an INVALIDATE of depth only if
// something other than the Z and stencil units has written a surface (DepthWatch). If such memory is drawn to
// without an INVALIDATE, it gets an order of its own before (begin_forgetting_bounds).
class CacheOrders {
 public:
  // Before the first order, units from 0. caches: arch::CacheBits that it holds. bounds: it is hierarchical
  // Z. level: 1 if it fills from a unit of level 0, while work of another queue may be under way.
  void add_unit(uint32_t caches, bool bounds, unsigned level = 0) {
    units_.push_back({caches, level, bounds});
  }

  // When all have answered, the packet that gave the order ends, or goes on.
  enum class Then : uint8_t { kPacketEnds, kPacketGoesOn };
  // False: no unit has to obey, and no order is under way.
  bool begin(messages::Control order, uint32_t caches, Then then,
             arch::QueueKind queue = arch::QueueKind::kGraphics);
  bool begin_forgetting_bounds(const messages::Origin& origin);

  bool under_way() const { return under_way_; }
  const messages::Control& order() const { return order_; }
  arch::QueueKind queue() const { return queue_; }  // that gave the order
  bool must_send(size_t unit) const;
  void sent(size_t unit) { units_[unit].step = Step::kAnswer; }
  void answered(size_t unit) { units_[unit].step = Step::kNone; }
  std::optional<size_t> waits_for() const;  // the first unit that has not answered
  // Once all have answered the order ends: what follows. None: it goes on.
  std::optional<Then> end();

  DepthWatch depth;

 private:
  enum class Step : uint8_t { kNone, kSend, kAnswer };
  struct Unit {
    uint32_t caches = 0;
    unsigned level = 0;
    bool bounds = false;
    Step step = Step::kNone;
  };
  bool start(messages::Control order, Then then, arch::QueueKind queue);

  std::vector<Unit> units_;
  bool under_way_ = false;
  messages::Control order_;
  Then then_ = Then::kPacketEnds;
  arch::QueueKind queue_ = arch::QueueKind::kGraphics;
};

}  // namespace cutaway::boxes
