#include "boxes/shader_unit/group_scheduler.h"

#include "boxes/shader_unit/greedy_oldest_group.h"
#include "boxes/shader_unit/oldest_group.h"
#include "boxes/shader_unit/round_robin_groups.h"
#include "boxes/shader_unit/vertices_first.h"

namespace cutaway::boxes {

std::unique_ptr<GroupScheduler> make_group_scheduler(ThreadScheduling kind, uint32_t groups) {
  switch (kind) {
    case ThreadScheduling::kRoundRobin:
      break;
    case ThreadScheduling::kOldest:
      return std::make_unique<OldestGroup>(groups);
    case ThreadScheduling::kGreedyOldest:
      return std::make_unique<GreedyOldestGroup>(groups);
    case ThreadScheduling::kVerticesFirst:
      return std::make_unique<VerticesFirst>(groups);
  }
  return std::make_unique<RoundRobinGroups>(groups);
}

}  // namespace cutaway::boxes
