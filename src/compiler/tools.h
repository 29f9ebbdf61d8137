#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiler.h"

// The only door to SPIRV-Tools.
namespace cutaway::compiler {

// Throws InvalidShader with the validator's first message.
void validate(std::span<const uint32_t> spirv);

// The module, with its ids numbered anew if it leaves most of them out: tables need not be as long as their
// bound. Throws InvalidShader if it cannot be read.
std::vector<uint32_t> with_dense_ids(std::span<const uint32_t> spirv);

}  // namespace cutaway::compiler
