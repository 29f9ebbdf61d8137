#include "boxes/shader_unit/mul_and_mad_issue.h"

namespace cutaway::boxes {

const IssuePolicies::Member<MulAndMadIssue> kMulAndMadIssue("mul-and-mad");

}  // namespace cutaway::boxes
