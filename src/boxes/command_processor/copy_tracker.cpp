#include "boxes/command_processor/copy_tracker.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::boxes {

CopyTracker::Ended CopyTracker::end() {
  CUTAWAY_CHECK(!copies_.empty(), "no copy is under way");
  const Ended ended{copies_.front().work, copies_.front().queue};
  copies_.erase(copies_.begin());
  return ended;
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
