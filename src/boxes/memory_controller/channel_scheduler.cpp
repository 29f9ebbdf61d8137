#include "boxes/memory_controller/channel_scheduler.h"

#include "boxes/memory_controller/fr_fcfs.h"
#include "boxes/memory_controller/oldest.h"
#include "boxes/memory_controller/same_direction.h"

namespace cutaway::boxes {

ChannelScheduler::ChannelScheduler(unsigned clients, unsigned queue)
    : queues_(clients, parts::Ring<Waiting>(queue)), waiting_(clients) {}

void ChannelScheduler::arrived(unsigned client, const Waiting& transaction) {
  queues_[client].push(transaction);
  waiting_.insert(client);
}

void ChannelScheduler::served(const Pick& pick) {
  queues_[pick.client].take(pick.position);
  if (queues_[pick.client].empty()) waiting_.erase(pick.client);
}

std::unique_ptr<ChannelScheduler> make_scheduler(const MemoryControllerSpec& spec, unsigned clients,
                                                 const DramChannel& dram) {
  switch (spec.scheduler) {
    case MemoryScheduler::kSameDirection:
      break;
    case MemoryScheduler::kOldest:
      return std::make_unique<Oldest>(clients, spec.queue);
    case MemoryScheduler::kFrFcfs:
      return std::make_unique<FrFcfs>(clients, spec, dram);
  }
  return std::make_unique<SameDirection>(clients, spec);
}

}  // namespace cutaway::boxes
