// Copies go on beside all that has nothing to do with their memory. The packets that order them against other
// work (WAIT_IDLE, FLUSH, INVALIDATE) do not wait for them: what reads or writes their memory does, line by
// line of caches, so that no cache can take in what they have not written yet.
#include "boxes/command_processor/draw_memory.h"

namespace cutaway::boxes {

bool CommandProcessor::copies_write(const MemoryRange& range) const {
  return std::any_of(copies_under_way_.begin(), copies_under_way_.end(),
                     [&](const CopyUnderWay& copy) { return range.meets(copy.memory.written); });
}

bool CommandProcessor::is_copied(const MemoryRange& range) const {
  return std::any_of(copies_under_way_.begin(), copies_under_way_.end(), [&](const CopyUnderWay& c) {
    return range.meets(c.memory.read) || range.meets(c.memory.written);
  });
}

bool CommandProcessor::draw_meets_copies(bool indexed) const {
  const auto copied = [this](const MemoryRange& range) { return is_copied(range); };
  return any_written(copied) || any_source(indexed, [this](const MemoryRange& r) { return copies_write(r); });
}

}  // namespace cutaway::boxes
