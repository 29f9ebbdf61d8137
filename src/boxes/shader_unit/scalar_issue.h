#pragma once

#include <algorithm>
#include <bit>

#include "boxes/shader_unit/issue_policy.h"

namespace cutaway::boxes {

// One instruction, a component at a time: it passes once for each component that it writes (a store: that it
// stores) and for each term of a dot product. Operations that give one value, and instructions that are
// carried out elsewhere, pass once.
class ScalarIssue final : public IssuePolicy {
 public:
  uint32_t most() const override { return 1; }
  bool joins(const IssueBundle&, const func::MicroOp&) const override { return false; }
  uint32_t passes(const func::MicroOp& op) const override {
    if (op.op_class != isa::OpClass::kSimd) return 1;
    switch (op.op) {
      case isa::Opcode::kDp2:
        return 2;
      case isa::Opcode::kDp3:
        return 3;
      case isa::Opcode::kDp4:
        return 4;
      case isa::Opcode::kNrm:
        return 4 + components_written(op);  // three terms, and the reciprocal of a root
      case isa::Opcode::kFog:
        return kFogPasses * components_written(op);
      default:
        return components_written(op);
    }
  }

 private:
  static uint32_t components_written(const func::MicroOp& op) {
    return std::max(1u, static_cast<uint32_t>(std::popcount(op.dst_mask)));
  }
};

}  // namespace cutaway::boxes
