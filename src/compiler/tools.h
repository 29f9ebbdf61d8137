#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiler.h"

// The only interface to SPIRV-Tools.
namespace cutaway::compiler {

// Throws InvalidShader with the validator's first message.
void validate(std::span<const uint32_t> spirv);

// Renumbers the module's ids if most are unused, so that tables need not be as long as the id bound. Throws
// InvalidShader if it cannot be read.
std::vector<uint32_t> with_dense_ids(std::span<const uint32_t> spirv);

}  // namespace cutaway::compiler
