#pragma once

#include <cstdint>
#include <vector>

#include "boxes/command_processor/memory_use.h"

namespace cutaway::boxes {

// The memory that draws and dispatches have used since the caches were last written back and emptied. A
// barrier that is owed (OwedBarriers) has to be carried out before work that meets this memory in another
// way: reads what was written, or writes what was read or written. Pixel units keep the order of draws, so a
// surface that is a target again is no such work.
class MemoryWatch {
 public:
  // capacity: ranges of memory; 0: watches nothing, and barriers are carried out at once.
  explicit MemoryWatch(unsigned capacity) : capacity_(capacity) { entries_.reserve(capacity); }

  bool on() const { return capacity_ != 0; }

  // True if a draw with these registers, or a dispatch, must wait for the barriers that are owed.
  // invalidates: caches of the INVALIDATE among them.
  bool draw_needs_barrier(const arch::Registers& registers, const MemoryUse& use, uint32_t invalidates) const;
  bool load_needs_barrier(const MemoryRange& read) const;

  void add_draw(const arch::Registers& registers, const MemoryUse& use);
  void add_dispatch(const MemoryUse& use);
  // Something that bypasses the caches has written memory: the host, a copy, a value.
  void overwritten(const MemoryRange& memory);
  // The other queue writes memory, which caches may hold when the next submission begins.
  void written_beside() { beside_ = true; }
  void begin_submission() {
    overwritten_ |= beside_;
    beside_ = false;
  }
  // A FLUSH and an INVALIDATE of these caches have been carried out, and nothing is under way.
  void settled(uint32_t flushed, uint32_t invalidated);

 private:
  enum class Path : uint8_t { kRead, kColor, kDepth, kStored };
  struct Entry {
    MemoryRange memory;  // whole lines
    Path path = Path::kRead;
    uint64_t layout = 0;  // targets: what says where a texel lies
  };
  template <class Act>
  static bool any_of_draw(const arch::Registers& registers, const MemoryUse& use, const Act& act);
  bool conflicts(const Entry& next) const;
  bool add(const Entry& entry);

  size_t capacity_;
  std::vector<Entry> entries_;
  bool full_ = false;         // some could not be noted: everything meets them
  bool overwritten_ = false;  // some of their memory was, or may have been
  bool beside_ = false;       // written_beside() since the last submission began
};

}  // namespace cutaway::boxes
