#include "boxes/command_processor/state_storage.h"

#include <algorithm>

namespace cutaway::boxes {

StateStorage::StateStorage(const CommandProcessorSpec& spec) {
  const PolicyName<StateWays> wanted[kStateKinds] = {spec.register_state, spec.constant_state,
                                                     spec.descriptor_state};
  for (size_t kind = 0; kind < kStateKinds; kind++) {
    const size_t same = static_cast<size_t>(std::find(wanted, wanted + kind, wanted[kind]) - wanted);
    if (same < kind) {
      way_of_[kind] = way_of_[same];
      continue;
    }
    way_of_[kind] = ways_.size();
    ways_.push_back(StateWays::make(wanted[kind], spec.state_versions, spec.spare_state_blocks));
  }
}

unsigned StateStorage::changed(size_t way, const Changes& changes) const {
  unsigned blocks = 0;
  for (size_t kind = 0; kind < kStateKinds; kind++)
    if (way_of_[kind] == way) blocks += changes[kind];
  return blocks;
}

bool StateStorage::room(const Changes& changes) const {
  for (size_t way = 0; way < ways_.size(); way++)
    if (!ways_[way]->room(changed(way, changes))) return false;
  return true;
}

StateStorage::Held StateStorage::take(const Changes& changes) {
  Held held{};
  for (size_t way = 0; way < ways_.size(); way++) held[way] = ways_[way]->take(changed(way, changes));
  return held;
}

void StateStorage::release(const Held& held) {
  for (size_t way = 0; way < ways_.size(); way++) ways_[way]->release(held[way]);
}

uint64_t StateStorage::bytes(unsigned stages) const {
  uint64_t sum = 0;
  for (size_t way = 0; way < ways_.size(); way++) {
    uint64_t of_way = 0;
    for (size_t kind = 0; kind < kStateKinds; kind++)
      if (way_of_[kind] == way) of_way += StateBlocks::bytes(static_cast<StateKind>(kind), stages);
    sum += ways_[way]->storage(of_way);
  }
  return sum;
}

}  // namespace cutaway::boxes
