#pragma once

#include <cstdint>

namespace cutaway::compiler {

// Throws UnsupportedShader with the capability's name if the compiler does not support it. Some are supported
// here and rejected at the instruction that uses them.
void check_capability(uint32_t capability);

// True for capabilities that allow only hints: a module means the same without them.
bool is_meaningless_capability(uint32_t capability);

}  // namespace cutaway::compiler
