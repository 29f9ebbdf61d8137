#include "boxes/shader_unit/issue_cost.h"

#include <algorithm>
#include <bit>

namespace cutaway::boxes {

uint32_t issue_passes(IssueMode mode, const func::MicroOp& op) {
  if (mode == IssueMode::kVector || op.op_class != isa::OpClass::kSimd) return 1;
  switch (op.op) {
    case isa::Opcode::kDp2:
      return 2;
    case isa::Opcode::kDp3:
      return 3;
    case isa::Opcode::kDp4:
      return 4;
    default:
      return std::max(1u, static_cast<uint32_t>(std::popcount(op.dst_mask)));
  }
}

}  // namespace cutaway::boxes
