#include "command_stream/clocked.h"

#include <algorithm>
#include <bitset>

#include "base/error.h"
#include "command_stream/legal.h"
#include "command_stream/primitive_geometry.h"
#include "isa/needs.h"
#include "isa/operands.h"

namespace cutaway::command_stream {
namespace {

using arch::Opcode;
using arch::Stage;

bool has_adjacency(uint32_t topology) {
  return topology >= static_cast<uint32_t>(arch::Topology::kLineListAdjacency) &&
         topology <= static_cast<uint32_t>(arch::Topology::kTriangleStripAdjacency);
}

std::string lacks(const Abilities& abilities, std::string_view what) {
  return fmt::format("{} has no {}", abilities.gpu.empty() ? "this GPU" : abilities.gpu, what);
}

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::kVertex:
      return "vertex";
    case Stage::kTessControl:
      return "tessellation control";
    case Stage::kTessEvaluation:
      return "tessellation evaluation";
    case Stage::kGeometry:
      return "geometry";
    case Stage::kFragment:
      return "fragment";
    case Stage::kCompute:
      break;
  }
  return "compute";
}

std::string lacks_stores(const Abilities& abilities, Stage stage) {
  return lacks(abilities, fmt::format("{} programs that store to buffers or images", name_of(stage)));
}

bool stores(const arch::Registers& registers, Stage stage) {
  const arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
  return shader.instructions && (shader.flags & arch::kShaderWritesMemory);
}

std::string lacks_feedback(const Abilities& abilities) {
  return abilities.feedback ? "" : lacks(abilities, "transform feedback");
}

std::string_view name_of_format(uint32_t format) { return arch::format_info(format).name; }

// Undefined formats are rejected as illegal elsewhere.
bool takes(const arch::FormatSet& formats, uint32_t format) {
  return format >= arch::kFormats || arch::format_info(format).bytes == 0 ||
         formats.has(static_cast<arch::Format>(format));
}

bool is_depth(uint32_t format) {
  const arch::FormatInfo& info = arch::format_info(format);
  return info.has_depth() || info.has_stencil();
}

// Illegal surfaces are rejected elsewhere.
std::string unclocked_size(const Abilities& abilities, std::string_view what, const arch::Surface& surface) {
  const uint32_t most = abilities.images.of(surface.surface_type());
  const uint32_t side = std::max({surface.width, surface.height, surface.depth});
  if (side <= most || side > arch::kMaxDimension) return "";
  return lacks(abilities, fmt::format("{} of {} texels a side, but of up to {}", what, side, most));
}

std::string unclocked_target(const Abilities& abilities, const arch::Surface& surface) {
  const uint32_t format = surface.format;
  if (takes(abilities.formats.target, format)) return unclocked_size(abilities, "targets", surface);
  return lacks(abilities,
               fmt::format("{} targets of {}", is_depth(format) ? "depth" : "color", name_of_format(format)));
}

std::string unclocked_targets(const Abilities& abilities, const arch::Registers& registers) {
  const uint32_t most = abilities.programs.color_targets;
  uint32_t number = 0;
  for (const arch::ColorTarget& target : registers.color.target) {
    const uint32_t format = target.surface.format;
    number++;
    if (!target.write_mask) continue;
    if (number > most)
      return lacks(abilities,
                   fmt::format("color target {}, but up to {} (programs.color_targets)", number, most));
    if (std::string lack = unclocked_target(abilities, target.surface); !lack.empty()) return lack;
    if (target.blend && !takes(abilities.formats.blend, format))
      return lacks(abilities, fmt::format("blending in targets of {}", name_of_format(format)));
  }
  const auto& depth = registers.depth;
  const bool used = depth.depth_test || depth.stencil_test || depth.bounds_test;
  return used ? unclocked_target(abilities, depth.surface) : "";
}

// True if a sample may blend more than one texel: of a level, or of two.
bool filters(const arch::Surface& surface, const arch::Sampler& sampler) {
  constexpr auto kLinear = static_cast<uint32_t>(arch::Filter::kLinear);
  return sampler.mag_filter == kLinear || sampler.min_filter == kLinear ||
         (sampler.mip_mode == static_cast<uint32_t>(arch::MipMode::kLinear) && surface.level_count > 1);
}

std::string unclocked_draw(const Abilities& abilities, const arch::Registers& registers) {
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<Stage>(i);
    if (stage != Stage::kCompute && stores(registers, stage) && !abilities.stores.has(stage))
      return lacks_stores(abilities, stage);
  }
  if (is_on(registers, Stage::kTessControl) && !abilities.stages.has(Stage::kTessControl))
    return lacks(abilities, "tessellation programs");
  const bool geometry = abilities.stages.has(Stage::kGeometry);
  if (is_on(registers, Stage::kGeometry) && !geometry) return lacks(abilities, "geometry programs");
  if (has_adjacency(registers.assembly.topology) && !geometry)
    return lacks(abilities, "primitives with adjacency");
  if (chooses_layer(registers) && !geometry) return lacks(abilities, "layers that a program chooses");
  if (std::string lack = unclocked_targets(abilities, registers); !lack.empty()) return lack;
  return registers.feedback.on ? lacks_feedback(abilities) : "";
}

std::string unclocked_dispatch(const Abilities& abilities, const arch::Registers& registers) {
  if (!abilities.workgroup_invocations) return lacks(abilities, "compute programs");
  if (stores(registers, Stage::kCompute) && !abilities.stores.has(Stage::kCompute))
    return lacks_stores(abilities, Stage::kCompute);
  const auto& compute = registers.compute;
  uint64_t invocations = 1;
  for (const uint32_t size : compute.local_size)
    invocations = std::min<uint64_t>(invocations * size, arch::kWorkgroupInvocations + 1);
  // Larger ones are illegal.
  if (invocations > abilities.workgroup_invocations && invocations <= arch::kWorkgroupInvocations)
    return lacks(abilities, fmt::format("workgroups of {} invocations, but of up to {}", invocations,
                                        abilities.workgroup_invocations));
  if (compute.shared_bytes > abilities.workgroup_bytes && compute.shared_bytes <= arch::kWorkgroupBytes)
    return lacks(abilities, fmt::format("{} bytes of memory for a workgroup, but {}", compute.shared_bytes,
                                        abilities.workgroup_bytes));
  return "";
}

// A program's uses of buffers, images and optional features.
struct Uses {
  bool stores = false, atomics = false, image_loads = false, pulls = false, doubles = false;
  isa::ProgramNeeds needs = {};
};

std::string unclocked_program(const Abilities& abilities, Stage stage, const Uses& uses) {
  if (uses.pulls && !abilities.pull) return lacks(abilities, "pull-model interpolation");
  if (uses.doubles && !abilities.doubles) return lacks(abilities, "64-bit floats");
  if (const std::string over = isa::exceeded(abilities.programs, stage, uses.needs); !over.empty())
    return lacks(abilities, over);
  if (!uses.stores && !uses.image_loads) return "";
  if (stage == Stage::kCompute && !abilities.workgroup_invocations) return "";  // its dispatch is rejected
  if (!abilities.stores.has(stage))
    return uses.stores
               ? lacks_stores(abilities, stage)
               : lacks(abilities, fmt::format("{} programs that load from storage images", name_of(stage)));
  return uses.atomics && !abilities.atomics ? lacks(abilities, "atomics on buffers and images") : "";
}

isa::ProgramNeeds needs_of(const Program& program) {
  std::bitset<arch::kResources> textures;
  for (const TextureRead& read : program.texture_reads) textures.set(read.resource);
  std::bitset<arch::kInterpolants> varyings = program.inputs_pulled;
  for (uint32_t i = 0; i < arch::kInterpolants; i++)
    if (program.inputs_read >> i & 1) varyings.set(i);
  return {static_cast<uint32_t>(program.words.size()), program.temporaries,
          static_cast<uint32_t>(textures.count()), static_cast<uint32_t>(varyings.count())};
}

}  // namespace

std::string unclocked(const Abilities& abilities, const Program& program) {
  return unclocked_program(abilities, program.stage,
                           {program.writes_memory, program.atomics, program.image_loads,
                            program.inputs_pulled != 0, program.doubles, needs_of(program)});
}

std::string unclocked(const Abilities& abilities, const arch::Registers& registers, Stage stage,
                      const arch::Memory& memory) {
  const arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
  const std::vector<isa::Instruction> code = program_in_memory(shader, memory);
  Uses uses{.needs = isa::needs_of(stage, code, shader.temporaries)};
  for (const isa::Instruction& instruction : code) {
    const bool writes = isa::writes_memory(instruction.op);
    uses.stores |= writes, uses.atomics |= writes && isa::is_atomic(instruction.op);
    uses.image_loads |= instruction.op == isa::Opcode::kLdi;
    uses.pulls |= isa::is_pull(instruction.op);
    uses.doubles |= isa::is_double(instruction.op);
  }
  return unclocked_program(abilities, stage, uses);
}

std::string unclocked(const Abilities& abilities, Stage stage, std::span<const TextureRead> reads,
                      std::span<const arch::Surface> resources, std::span<const arch::Sampler> samplers) {
  const bool late = stage == Stage::kFragment || stage == Stage::kCompute;
  const arch::FormatUses& formats = abilities.formats;
  for (const TextureRead& read : reads) {
    const arch::Surface& surface = resources[read.resource];
    const arch::SurfaceType type = surface.surface_type();
    if (type == arch::SurfaceType::kNone || type == arch::SurfaceType::kRawBuffer) continue;
    const bool stencil = surface.reads_stencil();
    if (!takes(late ? formats.fragment_texture : formats.vertex_texture, surface.format))
      return lacks(abilities, fmt::format("{} textures of {}", late ? name_of(stage) : "vertex",
                                          name_of_format(surface.format)));
    if (read.filters && !stencil && filters(surface, samplers[read.sampler]) &&
        !takes(formats.filter, surface.format))
      return lacks(abilities, fmt::format("filtering of {} textures", name_of_format(surface.format)));
    if (type == arch::SurfaceType::kTexelBuffer) continue;
    const char* what = type == arch::SurfaceType::kCube ? "cubes"
                       : type == arch::SurfaceType::k3D ? "volumes"
                                                        : "textures";
    if (std::string lack = unclocked_size(abilities, what, surface); !lack.empty()) return lack;
  }
  return "";
}

std::string unclocked(const Abilities& abilities, Opcode opcode, const arch::Registers& registers) {
  switch (opcode) {
    case Opcode::kDispatch:
    case Opcode::kDispatchIndirect:
      return unclocked_dispatch(abilities, registers);
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return lacks_feedback(abilities);
    case Opcode::kDrawByteCount:
      if (!abilities.feedback) return lacks_feedback(abilities);
      [[fallthrough]];
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return unclocked_draw(abilities, registers);
    case Opcode::kNop:
    case Opcode::kSetRegisters:
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
    case Opcode::kLoadProgram:
    case Opcode::kCopyBuffer:
    case Opcode::kFillBuffer:
    case Opcode::kCopySurface:
    case Opcode::kCopyQueries:
    case Opcode::kClear:
    case Opcode::kFlush:
    case Opcode::kInvalidate:
    case Opcode::kWaitIdle:
    case Opcode::kWriteQuery:
    case Opcode::kWriteValue:
    case Opcode::kWaitValue:
    case Opcode::kPredicate:
    case Opcode::kCall:
    case Opcode::kMarker:
    case Opcode::kPresent:
      return "";
  }
  return "";
}

}  // namespace cutaway::command_stream
