#include "boxes/shader_unit/scalar_issue.h"

namespace cutaway::boxes {

const IssuePolicies::Member<ScalarIssue> kScalarIssue("scalar");

}  // namespace cutaway::boxes
