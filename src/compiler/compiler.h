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
  std::vector<std::byte> value;  // as VkSpecializationInfo gives it: 1 to 8 bytes, little-endian
};

// How many descriptors a binding has: the length of an array without one.
struct DescriptorCount {
  uint32_t set = 0, binding = 0, count = 0;
};

struct Request {
  arch::Stage stage = arch::Stage::kVertex;
  std::span<const uint32_t> spirv;
  std::string_view entry;  // entry point name
  std::vector<Specialization> specializations;
  std::vector<DescriptorCount> descriptors;  // of bindings whose arrays may lack a length
  // Bit per location. Fragment: color attachments that exist; vertex: varyings that the next stage reads.
  // Stores to others die, and with them what only they need.
  uint64_t live_outputs = (uint64_t{1} << arch::kInterpolants) - 1;
  bool live_point_size = true;              // vertex: the pipeline may draw points
  const isa::PatchLayout* patch = nullptr;  // tessellation evaluation: that of its control program
  uint32_t samples = 1;                     // fragment: per pixel, for interpolateAtSample
  bool pull = true;  // fragment: interpolateAtSample and AtOffset by PULL; else by derivatives
  uint32_t constant_budget = arch::kConstants;  // vec4
  // Fragment: floats of which RelaxedPrecision says that 16 bits will do are kept in halves of registers, and
  // a vector of three is normalised by NRM.
  bool halves = false;
};

// Translates one entry point. SPIR-V is not trusted: an UnsupportedShader names the operation, capability or
// decoration that is not supported, or the limit; an InvalidShader the rule that is broken (refusal.h); a
// UserError is a request that the module does not fit. An InternalError is a defect of the compiler.
isa::Program compile(const Request& request);

// Whether arrays of descriptors of the module may lack a length (RuntimeDescriptorArray).
bool has_unsized_descriptors(std::span<const uint32_t> spirv);

// The module's text, one element per SPIR-V instruction: what Program::source_of counts. Where the module
// tells, a comment says the semantic of the variable that an instruction declares, loads or stores (HLSL),
// and the line of the source that it comes from.
std::vector<std::string> source_lines(std::span<const uint32_t> spirv);

// "HLSL 500"; empty if the module does not say it.
std::string source_language(std::span<const uint32_t> spirv);

}  // namespace cutaway::compiler
