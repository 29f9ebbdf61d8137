#pragma once

#include "boxes/shader_unit/issue_policy.h"

namespace cutaway::boxes {

// One instruction for the SIMD ALU and one for the scalar ALU, in either order (ATT-9).
class SimdAndScalarIssue final : public IssuePolicy {
 public:
  uint32_t most() const override { return 2; }
  bool joins(const IssueBundle& bundle, const func::MicroOp& next) const override {
    return next.op_class == isa::OpClass::kScalar ? bundle.scalar() == 0 : bundle.simd() == 0;
  }
};

}  // namespace cutaway::boxes
