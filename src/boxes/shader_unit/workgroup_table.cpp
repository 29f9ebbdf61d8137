#include "boxes/shader_unit/workgroup_table.h"

#include <algorithm>

#include "isa/operands.h"

namespace cutaway::boxes {

WorkgroupTable::WorkgroupTable(uint32_t workgroups, uint32_t shared_bytes, uint32_t groups)
    : workgroups_(workgroups), members_(groups), shared_free_(shared_bytes) {
  if (workgroups) going_on_.reserve(groups);
}

bool WorkgroupTable::has_room(uint32_t shared_bytes) const {
  return shared_bytes <= shared_free_ &&
         std::any_of(workgroups_.begin(), workgroups_.end(), [](const Workgroup& w) { return !w.used; });
}

void WorkgroupTable::begin(messages::Workgroup message, uint32_t groups, const Admission::Demand& taken) {
  const auto slot =
      std::find_if(workgroups_.begin(), workgroups_.end(), [](const Workgroup& w) { return !w.used; });
  Workgroup& workgroup = *slot;
  entering_ = static_cast<uint32_t>(slot - workgroups_.begin());
  workgroup.used = true;
  workgroup.message = std::move(message);
  workgroup.groups = workgroup.running = workgroup.left = groups;
  workgroup.entered = workgroup.arrived = workgroup.fences = 0;
  workgroup.members.clear();
  workgroup.taken = taken;
  workgroup.shared_bytes = workgroup.message.state->registers.compute.shared_bytes;
  shared_free_ -= workgroup.shared_bytes;
  workgroup.memory_words = workgroup.shared_bytes / 4;
  if (workgroup.memory.size() < workgroup.memory_words) workgroup.memory.resize(workgroup.memory_words);
  std::fill_n(workgroup.memory.begin(), workgroup.memory_words, 0);
}

void WorkgroupTable::enter(uint16_t group) {
  Workgroup& workgroup = workgroups_[entering_];
  members_[group] = {.workgroup = entering_};
  workgroup.members.push_back(group);
  if (++workgroup.entered == workgroup.groups) entering_ = kNone;
}

WorkgroupTable::Opening WorkgroupTable::arrive(uint16_t group, uint32_t fences) {
  Workgroup& workgroup = of(group);
  Member& member = members_[group];
  if (!workgroup.arrived) workgroup.fences = 0, workgroup.accesses_done = 0;
  workgroup.arrived++;
  workgroup.fences |= fences;
  if (fences & isa::kFenceShared)
    workgroup.accesses_done = std::max(workgroup.accesses_done, member.accesses_done);
  member.at_barrier = true;
  return open_if_all_arrived(group);
}

WorkgroupTable::Opening WorkgroupTable::end(uint16_t group) {
  of(group).running--;
  return open_if_all_arrived(group);
}

WorkgroupTable::Opening WorkgroupTable::open_if_all_arrived(uint16_t group) {
  const uint32_t number = members_[group].workgroup;
  Workgroup& workgroup = workgroups_[number];
  if (!workgroup.arrived || workgroup.arrived < workgroup.running) return {};
  workgroup.arrived = 0;
  going_on_.clear();
  for (const uint16_t index : workgroup.members) {
    Member& member = members_[index];
    // The place of a group that has left may be another workgroup's by now.
    if (!member.at_barrier || member.workgroup != number) continue;
    member.at_barrier = false;
    going_on_.push_back(index);
  }
  return {going_on_, workgroup.fences, workgroup.accesses_done};
}

std::optional<WorkgroupTable::Ended> WorkgroupTable::leave(uint16_t group) {
  Workgroup& workgroup = of(group);
  if (--workgroup.left > 0) return {};
  workgroup.used = false;
  shared_free_ += workgroup.shared_bytes;
  return Ended{workgroup.message.dispatch, workgroup.taken};
}

}  // namespace cutaway::boxes
