#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::compiler {

// What a SPIR-V module says of its origin: the file of its OpSource, else the first file of an OpLine, else
// the name of the entry point unless it is "main". "": nothing. At most 256 bytes. The module may be damaged.
std::string source_name(std::span<const uint32_t> spirv, std::string_view entry);

}  // namespace cutaway::compiler
