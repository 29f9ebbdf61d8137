#include "boxes/memory_controller/same_direction.h"

namespace cutaway::boxes {

SameDirection::SameDirection(unsigned clients, unsigned most)
    : clients_(clients), most_(most), reads_(clients), writes_(clients) {}

unsigned SameDirection::pick(engine::Cycle) const {
  const parts::IndexSet& same = wrote_ ? writes_ : reads_;
  const parts::IndexSet& others = wrote_ ? reads_ : writes_;
  const bool stays = !same.empty() && (run_ < most_ || others.empty());
  return (stays ? same : others).next(turn_);
}

void SameDirection::served(unsigned client, bool write, const Front& front) {
  run_ = write == wrote_ ? run_ + 1 : 1;
  wrote_ = write;
  turn_ = client + 1 == clients_ ? 0 : client + 1;
  update(client, front);
}

void SameDirection::update(unsigned client, const Front& front) {
  front.kind == Front::Kind::kRead ? reads_.insert(client) : reads_.erase(client);
  front.kind == Front::Kind::kWrite ? writes_.insert(client) : writes_.erase(client);
}

}  // namespace cutaway::boxes
