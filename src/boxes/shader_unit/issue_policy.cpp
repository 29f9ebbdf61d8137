#include "boxes/shader_unit/issue_policy.h"

#include "boxes/shader_unit/mul_and_mad_issue.h"
#include "boxes/shader_unit/n_way_issue.h"
#include "boxes/shader_unit/scalar_issue.h"
#include "boxes/shader_unit/simd_and_scalar_issue.h"

namespace cutaway::boxes {

std::unique_ptr<IssuePolicy> make_issue_policy(IssueMode mode, uint32_t ways) {
  switch (mode) {
    case IssueMode::kNWay:
      break;
    case IssueMode::kSimdAndScalar:
      return std::make_unique<SimdAndScalarIssue>();
    case IssueMode::kMulAndMad:
      return std::make_unique<MulAndMadIssue>();
    case IssueMode::kScalar:
      return std::make_unique<ScalarIssue>();
  }
  return std::make_unique<NWayIssue>(ways);
}

}  // namespace cutaway::boxes
