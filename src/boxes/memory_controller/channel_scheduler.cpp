#include "boxes/memory_controller/channel_scheduler.h"

namespace cutaway::boxes {

ChannelScheduler::ChannelScheduler(unsigned clients, unsigned queue)
    : queues_(clients, structures::Ring<Waiting>(queue)), waiting_(clients) {}

void ChannelScheduler::arrived(unsigned client, const Waiting& transaction) {
  queues_[client].push(transaction);
  waiting_.insert(client);
}

void ChannelScheduler::served(const Pick& pick) {
  queues_[pick.client].erase(pick.position);
  if (queues_[pick.client].empty()) waiting_.erase(pick.client);
}

}  // namespace cutaway::boxes
