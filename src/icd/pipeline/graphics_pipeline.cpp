#include "icd/pipeline/graphics_pipeline.h"

#include <dlfcn.h>

#include "base/precision_hint.h"
#include "icd/device/offer.h"
#include "icd/pass/rendering.h"
#include "icd/pipeline/pipeline_library.h"

namespace cutaway::icd {
namespace {

// Locations of a fragment program's outputs that have an effect, bit each.
uint64_t live_colors(const arch::Registers& registers) {
  uint64_t live = 0;
  for (uint32_t i = 0; i < arch::kColorTargets; i++)
    if (registers.color.target[i].write_mask) live |= uint64_t{1} << i;
  if (registers.raster.alpha_to_coverage) live |= 1;
  return live;
}

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

}  // namespace

// A derivative pipeline is made like any other: programs are shared with or without the hint.
GraphicsPipeline::GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info,
                                   const SubpassShape& subpass, ProgramSource from)
    : loops_depth_(info.flags & VK_PIPELINE_CREATE_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) {
  make_pipeline([&] {
    state_ = translate_pipeline(info, subpass);
    compile(device, info, from);
  });
}

GraphicsPipeline::Stages GraphicsPipeline::stages_of(const VkGraphicsPipelineCreateInfo& info) {
  Stages stages;
  for (uint32_t i = 0; i < info.stageCount; i++) {
    const VkPipelineShaderStageCreateInfo& stage = info.pStages[i];
    if (stage.stage == VK_SHADER_STAGE_VERTEX_BIT) stages.vertex = &stage;
    else if (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT) stages.fragment = &stage;
    else if (!offer().has(stage.stage))
      unsupported("a pipeline with a stage that CUTAWAY_WITHOUT leaves out");
    else if (stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) stages.control = &stage;
    else if (stage.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) stages.evaluation = &stage;
    else if (stage.stage == VK_SHADER_STAGE_GEOMETRY_BIT) stages.geometry = &stage;
    else unsupported("a pipeline with a stage {:#x}", static_cast<uint32_t>(stage.stage));
  }
  return stages;
}

// From the last stage to the first: what a stage does not read need not be computed before it.
void GraphicsPipeline::compile(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from) {
  const Stages stages = stages_of(info);
  const Compiler compiler{device.programs(), info.layout, from};
  const arch::Registers& registers = state_.registers;
  Reads reads;
  reads.point_size = registers.raster.polygon_mode == static_cast<uint32_t>(arch::PolygonMode::kPoint);
  if (stages.fragment && !registers.raster.rasterizer_discard)
    compile_fragment(compiler, *stages.fragment, reads);
  if (stages.geometry) compile_geometry(compiler, *stages.geometry, reads);
  else if (stages.control) reads.point_size = true;  // the evaluation program may be in point mode
  else reads.point_size |= registers.assembly.topology == static_cast<uint32_t>(arch::Topology::kPointList);
  if (stages.control && stages.evaluation)
    compile_tessellation(compiler, *stages.control, *stages.evaluation, reads);
  StageRequest request = compiler.request(*stages.vertex, arch::Stage::kVertex);
  request.live_outputs = reads.locations;
  request.live_point_size = reads.point_size;
  vertex_ = compiler.get(request);
  link();
}

void GraphicsPipeline::compile_fragment(const Compiler& compiler,
                                        const VkPipelineShaderStageCreateInfo& fragment, Reads& reads) {
  StageRequest request = compiler.request(fragment, arch::Stage::kFragment);
  request.live_outputs = live_colors(state_.registers);
  request.samples = state_.registers.raster.samples;
  request.pull = offer().pull;
  request.halves = offer().halves;
  request.fog = offer().fog;
  request.relaxed = request.halves && asks_for_fastest_precision();
  fragment_ = compiler.get(request);
  if (!has_effect(fragment_->program)) fragment_.reset();
  if (fragment_) reads.locations = locations_read(fragment_->program);
}

void GraphicsPipeline::compile_geometry(const Compiler& compiler,
                                        const VkPipelineShaderStageCreateInfo& geometry, Reads& reads) {
  StageRequest request = compiler.request(geometry, arch::Stage::kGeometry);
  request.live_outputs = reads.locations;
  geometry_ = compiler.get(request);
  reads = reads_of(*geometry_);
}

// The control program says where in a patch the evaluation program finds what.
void GraphicsPipeline::compile_tessellation(const Compiler& compiler,
                                            const VkPipelineShaderStageCreateInfo& control,
                                            const VkPipelineShaderStageCreateInfo& evaluation, Reads& reads) {
  tess_control_ = compiler.get(compiler.request(control, arch::Stage::kTessControl));
  StageRequest request = compiler.request(evaluation, arch::Stage::kTessEvaluation);
  request.live_outputs = reads.locations;
  request.live_point_size = reads.point_size;
  request.patch = &tess_control_->program.patch;
  tess_evaluation_ = compiler.get(request);
  reads = reads_of(*tess_control_);
}

GraphicsPipeline::Reads GraphicsPipeline::reads_of(const StoredProgram& stored) {
  const uint64_t locations = locations_read(stored.program);
  return {.locations = locations, .point_size = (locations >> isa::kPointSizeLocation & 1) != 0};
}

// Puts what the programs are and agree on into the registers.
void GraphicsPipeline::link() {
  arch::Registers& registers = state_.registers;
  link_stages({.vertex = &vertex_->program,
               .tess_control = tess_control_ ? &tess_control_->program : nullptr,
               .tess_evaluation = tess_evaluation_ ? &tess_evaluation_->program : nullptr,
               .geometry = geometry_ ? &geometry_->program : nullptr,
               .fragment = fragment_ ? &fragment_->program : nullptr},
              registers);
  for (const StoredProgram* stored : programs())
    if (stored) registers.shader[static_cast<uint32_t>(stored->program.stage)].program = stored->code;
}

namespace {

VkResult create_graphics(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from,
                         VkPipeline* made) {
  if (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) return create_as<PipelineLibrary>(made, info);
  if (!has_libraries(info)) {
    return guard([&] {
      const SubpassShape subpass =
          info.renderPass ? object(info.renderPass)->shape(info.subpass) : rendering_shape(info);
      return create_as<GraphicsPipeline>(made, device, info, subpass, from);
    });
  }
  return guard([&] {
    const LinkedPipelineState linked(info);
    return create_as<GraphicsPipeline>(made, device, linked.info(), linked.subpass(), from);
  });
}

}  // namespace

VkResult CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                 const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks*,
                                 VkPipeline* pipelines) {
  return create_pipelines(
      cache, std::span(infos, count), pipelines,
      [&](VkPipeline* made, const VkGraphicsPipelineCreateInfo& info, ProgramSource from) {
        return create_graphics(*object(device), info, from, made);
      });
}

}  // namespace cutaway::icd
