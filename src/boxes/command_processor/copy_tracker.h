#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch/gpu.h"
#include "boxes/command_processor/memory_use.h"

namespace cutaway::boxes {

// The copies, fills and clears of memory under way, of all queues in order, and the memory that each uses.
// Barriers (FLUSH, INVALIDATE, WAIT_IDLE) do not wait for watched copies. Whatever uses their memory does, by
// whole cache lines, so that no cache can take in a line that a copy has not written yet.
class CopyTracker {
 public:
  // watched: copies that may be under way; 0: any number, and barriers wait for all.
  // barriers_wait: for watched copies, too, since another queue may read a line beside what a copy writes.
  explicit CopyTracker(unsigned watched, bool barriers_wait = false)
      : watched_(watched), barriers_wait_(barriers_wait || !watched) {}

  bool empty() const { return copies_.empty(); }
  size_t size() const { return copies_.size(); }
  bool full() const { return watched_ && copies_.size() == watched_; }
  bool any(arch::QueueKind queue) const {
    return std::any_of(copies_.begin(), copies_.end(), [&](const Copy& c) { return c.queue == queue; });
  }
  bool hold_barriers(arch::QueueKind queue = arch::QueueKind::kGraphics) const {
    return barriers_wait_ && any(queue);
  }

  // work: its number in the list of work.
  void begin(const MemoryUse& use, uint32_t work, arch::QueueKind queue = arch::QueueKind::kGraphics) {
    copies_.push_back({use.in_lines(), work, queue});
  }
  // The oldest has ended.
  struct Ended {
    uint32_t work = 0;
    arch::QueueKind queue = arch::QueueKind::kGraphics;
  };
  Ended end();

  bool write(const MemoryRange& memory) const;
  bool overlap(const MemoryUse& use) const;

 private:
  struct Copy {
    MemoryUse use;
    uint32_t work = 0;
    arch::QueueKind queue = arch::QueueKind::kGraphics;
  };
  unsigned watched_;
  bool barriers_wait_;
  std::vector<Copy> copies_;
};

}  // namespace cutaway::boxes
