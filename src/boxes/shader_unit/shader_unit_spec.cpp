#include "boxes/shader_unit/shader_unit_spec.h"

#include <bit>

#include "base/error.h"
#include "messages/messages.h"

namespace cutaway::boxes {

using arch::Stage;

uint32_t ShaderUnitSpec::count_groups(const std::string& path, EnumSet<Stage> stages) const {
  constexpr uint32_t kMostGroups = RequestName::kGroups;
  if (!std::has_single_bit(group_lanes) || group_lanes > messages::kMaxGroupLanes)
    user_error("{}.group_lanes: {} is no power of 2 up to {}", path, group_lanes, messages::kMaxGroupLanes);
  if (vertex_lanes && (!std::has_single_bit(vertex_lanes) || vertex_lanes > group_lanes))
    user_error("{}.vertex_lanes: {} is no power of 2 up to group_lanes ({})", path, vertex_lanes,
               group_lanes);
  // As many as of the smallest groups fit in.
  const uint32_t least = stages.has(Stage::kVertex) ? lanes_of(Stage::kVertex) : group_lanes;
  const uint32_t groups = threads / least;
  if (threads < group_lanes || groups > kMostGroups)
    user_error("{}.threads: {} make {} groups of {}; expected 1 to {} groups", path, threads, groups, least,
               kMostGroups);
  if (simd_lanes == 0 || group_lanes % simd_lanes != 0)
    user_error("{}.simd_lanes: {} is no divisor of group_lanes ({})", path, simd_lanes, group_lanes);
  return groups;
}

}  // namespace cutaway::boxes
