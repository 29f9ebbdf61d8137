#include "boxes/memory_controller/channel_scheduler.h"

#include "boxes/memory_controller/oldest.h"
#include "boxes/memory_controller/same_direction.h"

namespace cutaway::boxes {

std::unique_ptr<ChannelScheduler> make_scheduler(MemoryScheduler kind, unsigned clients, unsigned queue,
                                                 unsigned same_direction) {
  switch (kind) {
    case MemoryScheduler::kSameDirection:
      break;
    case MemoryScheduler::kOldest:
      return std::make_unique<Oldest>(clients, queue);
  }
  return std::make_unique<SameDirection>(clients, same_direction);
}

}  // namespace cutaway::boxes
