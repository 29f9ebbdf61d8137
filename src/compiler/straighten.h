#pragma once

#include <cstdint>
#include <vector>

#include "compiler/admission.h"

namespace cutaway::compiler {

// A copy of a module whose functions do not branch, for the validator: it checks each instruction in time
// linear in the module, and nothing of control flow.
struct Straight {
  std::vector<uint32_t> words;
  std::vector<uint32_t> from;  // for each instruction, the one of the module that it came from
};

// Each function becomes one path through its blocks, those that others dominate behind these; blocks that
// cannot be reached come last. OpPhi keeps its type only. Merge instructions and branches go: the compiler
// takes any control flow whose meaning is clear, and keeps or refuses it itself (translate/flow.h).
//
// Throws InvalidShader: an instruction lies outside a block, a block does not end, or a branch leads to
// anything but a block of its function behind the first.
Straight straightened(const Admitted& module);

}  // namespace cutaway::compiler
