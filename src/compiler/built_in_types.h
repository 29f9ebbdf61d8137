#pragma once

#include "compiler/module.h"

namespace cutaway::compiler {

// Checks that the built-in variables that the entry point reaches have the types that Vulkan gives them
// (section "Built-In Variables"): the parts take these for granted. InvalidShader: one has not.
void check_built_ins(const Module& module, arch::Stage stage);

}  // namespace cutaway::compiler
