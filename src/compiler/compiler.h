#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/load_gathering.h"
#include "arch/program_limits.h"
#include "arch/registers.h"
#include "isa/program.h"

namespace cutaway::compiler {

struct Specialization {
  uint32_t id = 0;               // SpecId
  std::vector<std::byte> value;  // as in VkSpecializationInfo: 1 to 8 bytes, little-endian
};

// The number of descriptors in a binding: the length of an unsized array.
struct DescriptorCount {
  uint32_t set = 0, binding = 0, count = 0;
};

struct Request {
  arch::Stage stage = arch::Stage::kVertex;
  std::span<const uint32_t> spirv;
  std::string_view entry;  // entry point name
  std::vector<Specialization> specializations;
  std::vector<DescriptorCount> descriptors;  // for bindings with possibly unsized arrays
  // One bit per location. Fragment: existing color attachments; vertex: varyings that the next stage reads.
  // Stores to other locations are removed, with everything that only they need.
  uint64_t live_outputs = (uint64_t{1} << arch::kInterpolants) - 1;
  bool live_point_size = true;              // vertex: the pipeline may draw points
  const isa::PatchLayout* patch = nullptr;  // tessellation evaluation: its control program's layout
  uint32_t samples = 1;                     // fragment: per pixel, for interpolateAtSample
  bool pull = true;  // fragment: interpolateAtSample and AtOffset use PULL; otherwise derivatives
  uint32_t constant_budget = arch::kConstants;  // vec4
  // Fragment: keep floats with RelaxedPrecision, for which 16 bits suffice, in halves of registers, and
  // normalise vectors of three with NRM.
  bool halves = false;
  bool fog = false;      // fragment: blend colors with fog by FOG
  bool relaxed = false;  // with halves: 16 bits suffice for all floats but coordinates of textures and depths
  arch::LoadGathering loads;
  arch::ProgramLimits limits;  // of the chip that is to run it
};

// Compiles one entry point. SPIR-V is untrusted. UnsupportedShader names the unsupported operation,
// capability or decoration, or the limit; InvalidShader names the violated rule (refusal.h); UserError: the
// request does not match the module. InternalError is a defect of the compiler.
isa::Program compile(const Request& request);

// True if the module may have unsized arrays of descriptors (RuntimeDescriptorArray).
bool has_unsized_descriptors(std::span<const uint32_t> spirv);

// The module's text, one element per SPIR-V instruction, indexed by Program::source_of. If the module has the
// information, a comment gives the semantic of the variable that an instruction declares, loads or stores
// (HLSL), and the source line that it comes from.
std::vector<std::string> source_lines(std::span<const uint32_t> spirv);

// "HLSL 500"; empty if the module does not declare it.
std::string source_language(std::span<const uint32_t> spirv);

}  // namespace cutaway::compiler
