#pragma once

#include <memory>
#include <span>

#include "base/field.h"
#include "engine/domain.h"
#include "parts/index_set.h"

namespace cutaway::boxes {

// Which of the groups of a shader unit that can issue does.
enum class ThreadScheduling { kRoundRobin, kOldest, kGreedyOldest, kVerticesFirst };
constexpr EnumName<ThreadScheduling> kThreadSchedulingNames[] = {
    {ThreadScheduling::kRoundRobin, "round-robin"},
    {ThreadScheduling::kOldest, "oldest"},
    {ThreadScheduling::kGreedyOldest, "greedy-oldest"},
    {ThreadScheduling::kVerticesFirst, "vertices-first"},
};

// Each way to choose has a file of its own.
class GroupScheduler {
 public:
  static constexpr uint32_t kNone = parts::IndexSet::kNone;

  virtual ~GroupScheduler() = default;
  // A group has come in; whoever had its index before has left. feeds: the rasteriser waits for what it
  // gives.
  virtual void admitted(uint32_t group, bool feeds) = 0;
  // The group that issues in cycle `now`, of those in `ready` whose time[group] has come; kNone: none has.
  virtual uint32_t pick(engine::Cycle now, const parts::IndexSet& ready,
                        std::span<const engine::Cycle> time) = 0;
};

// For indices below `groups`.
std::unique_ptr<GroupScheduler> make_group_scheduler(ThreadScheduling kind, uint32_t groups);

}  // namespace cutaway::boxes
