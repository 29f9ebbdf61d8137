#include "boxes/shader_unit/group_table.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

GroupTable::GroupTable(uint32_t places, uint32_t width, bool stores_inputs, uint64_t& residents)
    : groups_(places),
      time_(places),
      free_(places),
      ready_(places),
      finished_(places),
      residents_(residents) {
  const size_t words = size_t{4} * width;
  uint16_t index = 0;
  for (Group& group : groups_) {
    group.index = index++;
    group.width = width;
    if (stores_inputs) group.input.resize(arch::kShaderInputs * words);
    group.temporary.resize(arch::kTemporaries * words);
    group.output.resize(arch::kShaderOutputs * words);
    group.view = {nullptr, group.temporary.data(), group.output.data()};
  }
  free_.insert_all();
  waiting_[static_cast<size_t>(Wait::kNothing)] = places;
}

bool GroupTable::holds(arch::Stage stage) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return group.phase != GroupPhase::kFree && group.stage == stage;
  });
}

void GroupTable::count_residents(Cycle now) {
  residents_ += inside() * (now - residents_since_);
  residents_since_ = now;
}

void GroupTable::enter(Cycle now, const Group& group) {
  count_residents(now);
  free_.erase(group.index);
}

void GroupTable::leave(Cycle now, Group& group) {
  count_residents(now);
  change_phase(group, GroupPhase::kFree);
  finished_.erase(group.index);
  free_.insert(group.index);
  group.vertices = {};
  group.fragments = {};
}

void GroupTable::finish(Group& group, Cycle drained) {
  time_[group.index] = drained;
  change_phase(group, GroupPhase::kFinished);
  ready_.erase(group.index);
  finished_.insert(group.index);
}

Cycle GroupTable::next_event(Cycle now) const {
  Cycle next = engine::kAsleep;
  const auto look = [&](uint32_t index) {
    if (time_[index] > now) next = std::min(next, time_[index]);
  };
  ready_.for_each(look);
  finished_.for_each(look);
  return next;
}

}  // namespace cutaway::boxes
