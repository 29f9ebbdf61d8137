#pragma once

#include <algorithm>
#include <cstdint>

#include "func/shader/thread_group.h"

namespace cutaway::command_stream {

// Instructions of a group after which a compute program counts as endless (docs/hardware.md "Faults"). The
// groups of a workgroup go on together if its program has barriers: then a workgroup has what four groups of
// 32 invocations have without. The limit depends on the workgroup alone, so that all GPUs of this contract
// judge alike, however many lanes their groups have.
inline uint64_t instruction_limit(bool has_barriers, uint32_t invocations) {
  constexpr uint32_t kFew = 128;
  if (!has_barriers) return func::kInstructionLimit;
  return func::kInstructionLimit * kFew / std::max(invocations, kFew);
}

}  // namespace cutaway::command_stream
