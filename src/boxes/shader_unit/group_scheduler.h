#pragma once

#include <memory>
#include <span>

#include "base/policy.h"
#include "engine/domain.h"
#include "structures/index_set.h"

namespace cutaway::boxes {

// Chooses which of the groups of a shader unit that can issue does. Each policy has files of its own.
class GroupScheduler {
 public:
  static constexpr uint32_t kNone = structures::IndexSet::kNone;

  virtual ~GroupScheduler() = default;
  // A group has come in; whoever had its index before has left. feeds: the rasteriser waits for what it
  // gives.
  virtual void admitted(uint32_t group, bool feeds) = 0;
  // The group that issues in cycle `now`, of those in `ready` whose time[group] has come; kNone: none has.
  virtual uint32_t pick(engine::Cycle now, const structures::IndexSet& ready,
                        std::span<const engine::Cycle> time) = 0;
};

// Policies are made with the number of groups. Indices of groups are below it.
struct GroupSchedulers : PolicyFamily<GroupSchedulers, GroupScheduler, uint32_t> {};

}  // namespace cutaway::boxes
