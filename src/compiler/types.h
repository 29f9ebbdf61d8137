#pragma once

#include "compiler/module.h"

namespace cutaway::compiler {

// The type that an OpType* instruction declares, those of the module before it being known. InvalidShader,
// UnsupportedShader: one that cannot be translated.
Type declared_type(const Module& module, const Word& word);

}  // namespace cutaway::compiler
