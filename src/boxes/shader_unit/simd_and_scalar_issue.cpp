#include "boxes/shader_unit/simd_and_scalar_issue.h"

namespace cutaway::boxes {

const IssuePolicies::Member<SimdAndScalarIssue> kSimdAndScalarIssue("simd-and-scalar");

}  // namespace cutaway::boxes
