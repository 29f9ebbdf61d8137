#pragma once

#include "compiler/admission.h"

namespace cutaway::compiler {

// Checks the instructions of a module by SPIRV-Tools' validator. Its word is final where the compiler relies
// on it: operands, types and decorations by SPIR-V's own rules. It is not where the validator is older than
// the specification, nor where a rule of Vulkan is broken that does not touch the meaning of the module
// (docs/compiler.md "Who judges a module"). Throws InvalidShader with the instruction and the reason.
void validate(const Admitted& module);

}  // namespace cutaway::compiler
