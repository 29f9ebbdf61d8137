#include "icd/pipeline/graphics_pipeline.h"

#include "icd/device/offer.h"
#include "icd/pass/rendering.h"

namespace cutaway::icd {
namespace {

// Locations of a fragment shader's outputs that have an effect.
uint64_t live_colors(const arch::Registers& registers) {
  uint64_t live = 0;
  for (uint32_t i = 0; i < arch::kColorTargets; i++)
    if (registers.color.target[i].write_mask) live |= uint64_t{1} << i;
  if (registers.raster.alpha_to_coverage) live |= 1;
  return live;
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
                                   ProgramSource from) {
  make_pipeline([&] {
    state_ = translate_pipeline(
        info, info.renderPass ? object(info.renderPass)->shape(info.subpass) : rendering_shape(info));
    compile(device, info, from);
  });
}

void GraphicsPipeline::compile(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from) {
  const VkPipelineShaderStageCreateInfo* vertex = nullptr;
  const VkPipelineShaderStageCreateInfo* control = nullptr;
  const VkPipelineShaderStageCreateInfo* evaluation = nullptr;
  const VkPipelineShaderStageCreateInfo* geometry = nullptr;
  const VkPipelineShaderStageCreateInfo* fragment = nullptr;
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
  arch::Registers& registers = state_.registers;
  // From the last stage to the first: outputs that a stage does not read need not be computed by the previous
  // one.
  uint64_t read = 0;
  bool reads_point_size = registers.raster.polygon_mode == static_cast<uint32_t>(arch::PolygonMode::kPoint);
  if (fragment && !registers.raster.rasterizer_discard) {
    compiler::Request request = stage_request(*fragment, arch::Stage::kFragment, info.layout);
    request.live_outputs = live_colors(registers);
    request.samples = registers.raster.samples;
    request.pull = offer().pull;
    request.halves = offer().halves;
    fragment_ = device.programs().get(request, from);
    if (!has_effect(fragment_->program)) fragment_.reset();
  }
  if (fragment_) read = locations_read(fragment_->program);
  if (geometry) {
    compiler::Request request = stage_request(*geometry, arch::Stage::kGeometry, info.layout);
    request.live_outputs = read;
    geometry_ = device.programs().get(request, from);
    read = locations_read(geometry_->program);
    reads_point_size = read >> isa::kPointSizeLocation & 1;
  } else if (control) {
    reads_point_size |= true;  // the evaluation program may use point mode
  } else {
    reads_point_size |= registers.assembly.topology == static_cast<uint32_t>(arch::Topology::kPointList);
  }
  if (control && evaluation) {
    // The control program determines the patch layout that the evaluation program reads.
    tess_control_ =
        device.programs().get(stage_request(*control, arch::Stage::kTessControl, info.layout), from);
    compiler::Request request = stage_request(*evaluation, arch::Stage::kTessEvaluation, info.layout);
    request.live_outputs = read;
    request.live_point_size = reads_point_size;
    request.patch = &tess_control_->program.patch;
    tess_evaluation_ = device.programs().get(request, from);
    read = locations_read(tess_control_->program);
    reads_point_size = read >> isa::kPointSizeLocation & 1;
  }
  compiler::Request request = stage_request(*vertex, arch::Stage::kVertex, info.layout);
  request.live_outputs = read;
  request.live_point_size = reads_point_size;
  vertex_ = device.programs().get(request, from);

  link_stages({.vertex = &vertex_->program,
               .tess_control = tess_control_ ? &tess_control_->program : nullptr,
               .tess_evaluation = tess_evaluation_ ? &tess_evaluation_->program : nullptr,
               .geometry = geometry_ ? &geometry_->program : nullptr,
               .fragment = fragment_ ? &fragment_->program : nullptr},
              registers);
  for (const StoredProgram* stored :
       {vertex_.get(), tess_control_.get(), tess_evaluation_.get(), geometry_.get(), fragment_.get()})
    if (stored) registers.shader[static_cast<uint32_t>(stored->program.stage)].program = stored->code;
}

VkResult CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                 const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks*,
                                 VkPipeline* pipelines) {
  return create_pipelines<GraphicsPipeline>(device, cache, std::span(infos, count), pipelines);
}

}  // namespace cutaway::icd
