#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::compiler {

// Names the origin of a SPIR-V module: the file of its OpSource, else the first file of an OpLine, else the
// entry point unless it is "main". "": the module states none. At most 256 bytes. The module may be damaged.
std::string source_name(std::span<const uint32_t> spirv, std::string_view entry);

}  // namespace cutaway::compiler
