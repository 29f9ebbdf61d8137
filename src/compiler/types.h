#pragma once

#include "compiler/module.h"

namespace cutaway::compiler {

// The type that an OpType* instruction declares, given the module's earlier types. InvalidShader,
// UnsupportedShader: it cannot be translated.
Type declared_type(const Module& module, const Word& word);

}  // namespace cutaway::compiler
