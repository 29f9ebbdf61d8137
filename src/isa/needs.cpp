#include "isa/needs.h"

#include <algorithm>
#include <bitset>
#include <fmt/format.h>

#include "isa/operands.h"

namespace cutaway::isa {

ProgramNeeds needs_of(arch::Stage stage, std::span<const Instruction> code, uint32_t temporaries) {
  std::bitset<arch::kResources> textures;
  std::bitset<arch::kInterpolants> varyings;
  uint32_t indexed = 0;
  for (const Instruction& instruction : code) {
    indexed = std::max<uint32_t>(indexed, instruction.access.window.count);
    if (info(instruction.op).op_class == OpClass::kTexture) textures.set(instruction.access.resource);
    if (stage != arch::Stage::kFragment) continue;
    if (is_pull(instruction.op)) varyings.set(instruction.access.slot);
    for (uint32_t s = 0; s < source_count(instruction); s++) {
      const Source& source = instruction.src[s];
      if (source.file == File::kInput && source.index < arch::kInterpolants) varyings.set(source.index);
    }
  }
  return {static_cast<uint32_t>(code.size()), temporaries, static_cast<uint32_t>(textures.count()),
          static_cast<uint32_t>(varyings.count()), indexed};
}

std::string exceeded(const arch::ProgramLimits& limits, arch::Stage stage, const ProgramNeeds& needs) {
  struct Limit {
    arch::Stage stage;
    uint32_t need, most;
    const char *what, *parameter;
  };
  using arch::Stage;
  const Limit all[] = {
      {Stage::kVertex, needs.instructions, limits.vertex_instructions, "instructions", "vertex_instructions"},
      {Stage::kVertex, needs.temporaries, limits.vertex_temporaries, "temporaries", "vertex_temporaries"},
      {Stage::kVertex, needs.textures, limits.vertex_textures, "textures", "vertex_textures"},
      {Stage::kVertex, needs.indexed_constants, limits.vertex_indexed_constants, "constants by index",
       "vertex_indexed_constants"},
      {Stage::kFragment, needs.indexed_constants, limits.fragment_indexed_constants, "constants by index",
       "fragment_indexed_constants"},
      {Stage::kFragment, needs.instructions, limits.fragment_instructions, "instructions",
       "fragment_instructions"},
      {Stage::kFragment, needs.temporaries, limits.fragment_temporaries, "temporaries",
       "fragment_temporaries"},
      {Stage::kFragment, needs.varyings, limits.varyings, "interpolated attributes", "varyings"}};
  for (const Limit& limit : all)
    if (limit.stage == stage && limit.need > limit.most)
      return fmt::format("{} programs of {} {}, but of up to {} (programs.{})",
                         stage == Stage::kVertex ? "vertex" : "fragment", limit.need, limit.what, limit.most,
                         limit.parameter);
  return "";
}

}  // namespace cutaway::isa
