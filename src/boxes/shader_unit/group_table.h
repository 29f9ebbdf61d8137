#pragma once

#include <array>
#include <span>
#include <vector>

#include "boxes/shader_unit/group.h"
#include "structures/index_set.h"

namespace cutaway::boxes {

// The groups of a shader unit: their places, their phases, and how many wait for what.
class GroupTable {
 public:
  // Units of the machine, or other groups, that blocked groups wait for.
  enum class Wait : uint8_t { kNothing, kTexture, kPull, kStorage, kBarrier };

  // places: 1 to 1024. width: lanes for which registers are laid out. stores_inputs: each group has input
  // registers of its own; else its inputs are read where a message has them. residents: counts the groups
  // inside, summed over the cycles until one came in or left last.
  GroupTable(uint32_t places, uint32_t width, bool stores_inputs, uint64_t& residents);

  Group& operator[](uint32_t index) { return groups_[index]; }
  const Group& operator[](uint32_t index) const { return groups_[index]; }
  uint32_t places() const { return free_.capacity(); }
  uint32_t inside() const { return free_.capacity() - free_.size(); }
  bool empty() const { return free_.full(); }
  // True if a group of this stage is inside. It looks at every place.
  bool holds(arch::Stage stage) const;

  // The group that comes in next. Not if all places are taken.
  Group& next_free() { return groups_[free_.first()]; }
  void enter(engine::Cycle now, const Group& group);
  // The results of a finished group have left.
  void leave(engine::Cycle now, Group& group);

  // The group can issue its next instruction from cycle `issue` on.
  void make_ready(Group& group, engine::Cycle issue) {
    time_[group.index] = issue;
    if (group.phase == GroupPhase::kReady) return;
    change_phase(group, GroupPhase::kReady);
    ready_.insert(group.index);
  }
  // The group waits; another event ends that. phase: neither kFree, kReady nor kFinished.
  void block(Group& group, GroupPhase phase) {
    change_phase(group, phase);
    ready_.erase(group.index);
  }
  // The results of the group can leave from cycle `drained` on.
  void finish(Group& group, engine::Cycle drained);

  // The time that the group was made ready for, or finished with.
  engine::Cycle time_of(const Group& group) const { return time_[group.index]; }
  std::span<const engine::Cycle> times() const { return time_; }
  const structures::IndexSet& ready() const { return ready_; }
  const structures::IndexSet& finished() const { return finished_; }
  uint32_t waiting_for(Wait wait) const { return waiting_[static_cast<size_t>(wait)]; }
  // Groups that wait for the texture unit, the interpolator or the storage cache.
  uint32_t waiting_for_other_units() const {
    return waiting_for(Wait::kTexture) + waiting_for(Wait::kPull) + waiting_for(Wait::kStorage);
  }
  // The first cycle after `now` in which a ready group can issue or the results of a finished one can leave;
  // engine::kAsleep if there is none.
  engine::Cycle next_event(engine::Cycle now) const;

 private:
  void count_residents(engine::Cycle now);
  static constexpr Wait wait_of(GroupPhase phase) {
    switch (phase) {
      case GroupPhase::kTexture:
        return Wait::kTexture;
      case GroupPhase::kPull:
        return Wait::kPull;
      case GroupPhase::kStorage:
      case GroupPhase::kFence:
      case GroupPhase::kBarrierStores:
      case GroupPhase::kDraining:
        return Wait::kStorage;
      case GroupPhase::kBarrier:
        return Wait::kBarrier;
      case GroupPhase::kFree:
      case GroupPhase::kReady:
      case GroupPhase::kBranch:
      case GroupPhase::kFinished:
        break;
    }
    return Wait::kNothing;
  }
  void change_phase(Group& group, GroupPhase phase) {
    waiting_[static_cast<size_t>(wait_of(group.phase))]--;
    waiting_[static_cast<size_t>(wait_of(phase))]++;
    group.phase = phase;
  }

  std::vector<Group> groups_;
  std::vector<engine::Cycle> time_;  // by group
  structures::IndexSet free_, ready_, finished_;
  std::array<uint32_t, 5> waiting_{};  // groups by Wait
  uint64_t& residents_;
  engine::Cycle residents_since_ = 0;  // one came in or left last
};

}  // namespace cutaway::boxes
