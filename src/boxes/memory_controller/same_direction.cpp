#include "boxes/memory_controller/same_direction.h"

namespace cutaway::boxes {

const ChannelSchedulers::Member<SameDirection> kSameDirection("same-direction");

SameDirection::SameDirection(unsigned clients, const MemoryControllerSpec& spec)
    : ChannelScheduler(clients, spec.queue),
      clients_(clients),
      most_(spec.same_direction),
      reads_(clients),
      writes_(clients) {}

void SameDirection::arrived(unsigned client, const Waiting& transaction) {
  ChannelScheduler::arrived(client, transaction);
  if (queue(client).size() == 1) update(client);  // others leave the front as it is
}

ChannelScheduler::Pick SameDirection::pick(engine::Cycle) const {
  const structures::IndexSet& same = wrote_ ? writes_ : reads_;
  const structures::IndexSet& others = wrote_ ? reads_ : writes_;
  const bool stays = !same.empty() && (run_ < most_ || others.empty());
  return {.client = (stays ? same : others).next(turn_)};
}

void SameDirection::served(const Pick& pick) {
  const bool write = queue(pick.client).front().write;
  ChannelScheduler::served(pick);
  run_ = write == wrote_ ? run_ + 1 : 1;
  wrote_ = write;
  turn_ = pick.client + 1 == clients_ ? 0 : pick.client + 1;
  update(pick.client);
}

void SameDirection::update(unsigned client) {
  const bool waits = !queue(client).empty(), write = waits && queue(client).front().write;
  waits && !write ? reads_.insert(client) : reads_.erase(client);
  write ? writes_.insert(client) : writes_.erase(client);
}

}  // namespace cutaway::boxes
