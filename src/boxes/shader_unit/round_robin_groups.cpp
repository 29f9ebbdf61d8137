#include "boxes/shader_unit/round_robin_groups.h"

namespace cutaway::boxes {

const GroupSchedulers::Member<RoundRobinGroups> kRoundRobinGroups("round-robin");

}  // namespace cutaway::boxes
