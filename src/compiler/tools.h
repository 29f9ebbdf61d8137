#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiler.h"

// The only door to SPIRV-Tools.
namespace cutaway::compiler {

// Throws UserError with the validator's first message.
void validate(std::span<const uint32_t> spirv);

// The module with its specialization constants set to the request's values, frozen and folded.
std::vector<uint32_t> specialize(const Request& request);

}  // namespace cutaway::compiler
