#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/registers.h"
#include "isa/program.h"

namespace cutaway::compiler {

struct Specialization {
  uint32_t id = 0;               // SpecId
  std::vector<std::byte> value;  // as VkSpecializationInfo gives it: 4 bytes, little-endian
};

struct Request {
  arch::Stage stage = arch::Stage::kVertex;
  std::span<const uint32_t> spirv;
  std::string_view entry;  // entry point name
  std::vector<Specialization> specializations;
  // Bit per location. Fragment: color attachments that exist; vertex: varyings that the next stage reads.
  // Stores to others die, and with them what only they need.
  uint64_t live_outputs = (uint64_t{1} << arch::kInterpolants) - 1;
  bool live_point_size = true;                  // vertex: the pipeline may draw points
  uint32_t samples = 1;                         // fragment: per pixel, for interpolateAtSample
  uint32_t constant_budget = arch::kConstants;  // vec4
};

// Translates one entry point. Throws UserError that names what is unsupported (operation, capability or
// decoration, by its SPIR-V name) or malformed; SPIR-V is not trusted.
isa::Program compile(const Request& request);

// The module's text, one element per SPIR-V instruction: what Program::source_of counts.
std::vector<std::string> source_lines(std::span<const uint32_t> spirv);

}  // namespace cutaway::compiler
