#include "boxes/command_processor/copy_tracker.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::boxes {

uint32_t CopyTracker::end() {
  CUTAWAY_CHECK(!copies_.empty(), "no copy is under way");
  const uint32_t work = copies_.front().work;
  copies_.erase(copies_.begin());
  return work;
}

bool CopyTracker::write(const MemoryRange& memory) const {
  return std::any_of(copies_.begin(), copies_.end(),
                     [&](const Copy& copy) { return copy.use.writes(memory); });
}

bool CopyTracker::overlap(const MemoryUse& use) const {
  return std::any_of(copies_.begin(), copies_.end(),
                     [&](const Copy& copy) { return copy.use.overlaps(use); });
}

}  // namespace cutaway::boxes
