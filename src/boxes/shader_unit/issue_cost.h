#pragma once

#include "base/field.h"
#include "func/shader/micro_op.h"

namespace cutaway::boxes {

// How the execute units work on the components of a register.
enum class IssueMode { kVector, kScalar };
constexpr EnumName<IssueMode> kIssueModeNames[] = {
    {IssueMode::kVector, "vector"},
    {IssueMode::kScalar, "scalar"},
};

// How many times the lanes of a group pass through the execute units for an instruction: once, or in kScalar
// once for each component that it writes (a store: that it stores) and for each term of a dot product.
// Operations that give one value, and instructions that are carried out elsewhere, pass once.
uint32_t issue_passes(IssueMode mode, const func::MicroOp& op);

}  // namespace cutaway::boxes
