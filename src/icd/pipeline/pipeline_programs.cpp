#include "icd/pipeline/pipeline_programs.h"

#include <dlfcn.h>

#include "base/precision_hint.h"
#include "icd/device/offer.h"

namespace cutaway::icd {
namespace {

// True if the program asks OpenGL for the fastest precision of its current fragment program. Zink makes
// pipelines when they are drawn with.
bool asks_for_fastest_precision() {
  static const auto ask = reinterpret_cast<FastestPrecision>(dlsym(RTLD_DEFAULT, kFastestPrecision));
  return ask && ask();
}

bool has_effect(const isa::Program& fragment) {
  constexpr uint32_t kEffects = arch::kShaderKills | arch::kShaderWritesDepth |
                                arch::kShaderWritesSampleMask | arch::kShaderWritesStencil |
                                arch::kShaderWritesMemory;
  return !fragment.outputs.empty() || (fragment.flags & kEffects);
}

// Outputs of the stage before that the stages compiled so far read, from the last stage on.
struct Reads {
  uint64_t locations = 0;
  bool point_size = false;
};

Reads reads_of(const StoredProgram& stored) {
  const uint64_t locations = locations_read(stored.program);
  return {.locations = locations, .point_size = (locations >> isa::kPointSizeLocation & 1) != 0};
}

// Compiles stages from the last to the first: what a stage does not read need not be computed before it.
class StageCompiler {
 public:
  StageCompiler(ProgramStore& programs, const PipelineStages& stages, const ProgramSource& from,
                PipelinePrograms& to)
      : programs_(programs), stages_(stages), from_(from), to_(to) {}

  void compile(bool rasterizes) {
    reads_.point_size = to_.shape.points;
    if (stages_.fragment && rasterizes) compile_fragment();
    if (stages_.geometry) compile_geometry();
    else if (stages_.control) reads_.point_size = true;  // the evaluation program may be in point mode
    if (stages_.control && stages_.evaluation) compile_tessellation();
    StageRequest vertex = request(*stages_.vertex, arch::Stage::kVertex);
    vertex.live_outputs = reads_.locations;
    vertex.live_point_size = reads_.point_size;
    to_.vertex = get(vertex);
  }

 private:
  StageRequest request(const VkPipelineShaderStageCreateInfo& stage, arch::Stage kind) const {
    return stage_request(stage, kind, stages_.layout);
  }
  std::shared_ptr<const StoredProgram> get(const StageRequest& request) const {
    return programs_.get(request, {from_.cache, from_.may_compile, request.name});
  }
  void compile_fragment() {
    StageRequest fragment = request(*stages_.fragment, arch::Stage::kFragment);
    fragment.live_outputs = to_.shape.live_colors;
    fragment.samples = to_.shape.samples;
    fragment.pull = offer().pull;
    fragment.halves = offer().halves;
    fragment.fog = offer().fog;
    fragment.relaxed = fragment.halves && stages_.relaxed;
    to_.fragment = get(fragment);
    if (!has_effect(to_.fragment->program)) to_.fragment.reset();
    if (to_.fragment) reads_.locations = locations_read(to_.fragment->program);
  }
  void compile_geometry() {
    StageRequest geometry = request(*stages_.geometry, arch::Stage::kGeometry);
    geometry.live_outputs = reads_.locations;
    to_.geometry = get(geometry);
    reads_ = reads_of(*to_.geometry);
  }
  // The control program says where in a patch the evaluation program finds what.
  void compile_tessellation() {
    to_.tess_control = get(request(*stages_.control, arch::Stage::kTessControl));
    StageRequest evaluation = request(*stages_.evaluation, arch::Stage::kTessEvaluation);
    evaluation.live_outputs = reads_.locations;
    evaluation.live_point_size = reads_.point_size;
    evaluation.patch = &to_.tess_control->program.patch;
    to_.tess_evaluation = get(evaluation);
    reads_ = reads_of(*to_.tess_control);
  }

  ProgramStore& programs_;
  const PipelineStages& stages_;
  const ProgramSource& from_;
  PipelinePrograms& to_;
  Reads reads_;
};

// Puts what the programs are and agree on into the registers.
void link(PipelinePrograms& programs) {
  const auto program = [](const auto& stored) { return stored ? &stored->program : nullptr; };
  link_stages({.vertex = program(programs.vertex),
               .tess_control = program(programs.tess_control),
               .tess_evaluation = program(programs.tess_evaluation),
               .geometry = program(programs.geometry),
               .fragment = program(programs.fragment)},
              programs.registers);
  for (const StoredProgram* stored : programs.all())
    if (stored)
      programs.registers.shader[static_cast<uint32_t>(stored->program.stage)].program = stored->code;
}

}  // namespace

PipelineStages::PipelineStages(const VkGraphicsPipelineCreateInfo& info)
    : layout(info.layout), relaxed(asks_for_fastest_precision()) {
  for (uint32_t i = 0; i < info.stageCount; i++) {
    const VkPipelineShaderStageCreateInfo& stage = info.pStages[i];
    if (stage.stage == VK_SHADER_STAGE_VERTEX_BIT) vertex = &stage;
    else if (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT) fragment = &stage;
    else if (!offer().has(stage.stage))
      unsupported("a pipeline with a stage that CUTAWAY_WITHOUT leaves out");
    else if (stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) control = &stage;
    else if (stage.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) evaluation = &stage;
    else if (stage.stage == VK_SHADER_STAGE_GEOMETRY_BIT) geometry = &stage;
    else unsupported("a pipeline with a stage {:#x}", static_cast<uint32_t>(stage.stage));
  }
}

ProgramShape PipelineStages::shape_for(const ExtendedState& state, VkPrimitiveTopology topology) const {
  ProgramShape shape;
  shape.shades_samples = state.samples.shades_samples();
  // Programs of the stages between write or pass the size of points whatever is drawn.
  shape.points =
      !geometry && !control &&
      (state.raster.polygon_mode == VK_POLYGON_MODE_POINT || topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
  if (!fragment) return shape;
  const ColorState& colors = state.colors;
  for (uint32_t i = 0; i < arch::kColorTargets; i++)
    if ((colors.used & colors.writable & 1u << i) && colors.target[i].write_mask)
      shape.live_colors |= uint64_t{1} << i;
  if (state.samples.alpha_to_coverage) shape.live_colors |= 1;
  shape.samples = static_cast<uint32_t>(state.samples.samples);
  return shape;
}

PipelinePrograms make_programs(Device& device, const PipelineStages& stages, const PipelineState& state,
                               const ProgramShape& shape, const ProgramSource& from) {
  PipelinePrograms programs{.shape = shape, .registers = state.registers};
  arch::Registers& registers = programs.registers;
  StageCompiler(device.programs(), stages, from, programs).compile(!registers.raster.rasterizer_discard);
  registers.raster.sample_shading = shape.shades_samples;
  link(programs);
  return programs;
}

}  // namespace cutaway::icd
