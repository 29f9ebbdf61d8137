#pragma once

#include <cstdint>
#include <vector>

#include "boxes/command_processor/memory_use.h"

namespace cutaway::boxes {

// The copies, fills and clears of memory under way, in order, and the memory that each uses. Barriers (FLUSH,
// INVALIDATE, WAIT_IDLE) do not wait for watched copies. Whatever uses their memory does, by whole cache
// lines, so that no cache can take in a line that a copy has not written yet.
class CopyTracker {
 public:
  // watched: copies that may be under way; 0: any number, and barriers wait for all.
  explicit CopyTracker(unsigned watched) : watched_(watched) {}

  bool empty() const { return copies_.empty(); }
  size_t size() const { return copies_.size(); }
  bool full() const { return watched_ && copies_.size() == watched_; }
  bool hold_barriers() const { return !watched_ && !copies_.empty(); }

  // work: its number in the list of work.
  void begin(const MemoryUse& use, uint32_t work) { copies_.push_back({use.in_lines(), work}); }
  // The oldest has ended; returns its work.
  uint32_t end();

  bool write(const MemoryRange& memory) const;
  bool overlap(const MemoryUse& use) const;

 private:
  struct Copy {
    MemoryUse use;
    uint32_t work = 0;
  };
  unsigned watched_;
  std::vector<Copy> copies_;
};

}  // namespace cutaway::boxes
