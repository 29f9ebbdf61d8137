#include "boxes/memory_controller/channel_scheduler.h"

#include "boxes/memory_controller/fr_fcfs.h"
#include "boxes/memory_controller/oldest.h"
#include "boxes/memory_controller/same_direction.h"

namespace cutaway::boxes {

std::unique_ptr<ChannelScheduler> make_scheduler(const MemoryControllerSpec& spec, unsigned clients,
                                                 const DramChannel& dram) {
  switch (spec.scheduler) {
    case MemoryScheduler::kSameDirection:
      break;
    case MemoryScheduler::kOldest:
      return std::make_unique<Oldest>(clients, spec.queue);
    case MemoryScheduler::kFrFcfs:
      return std::make_unique<FrFcfs>(clients, spec.passed_over, dram);
  }
  return std::make_unique<SameDirection>(clients, spec.same_direction);
}

}  // namespace cutaway::boxes
