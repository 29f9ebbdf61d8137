#include "boxes/shader_unit/n_way_issue.h"

namespace cutaway::boxes {

const IssuePolicies::Member<NWayIssue> kNWayIssue("n-way");

}  // namespace cutaway::boxes
