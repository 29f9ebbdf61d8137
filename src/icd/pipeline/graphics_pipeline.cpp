#include "icd/pipeline/graphics_pipeline.h"

#include "icd/pass/render_pass.h"

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

// A derivative of another pipeline is made like any other: programs are shared with or without the hint.
GraphicsPipeline::GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info,
                                   PipelineCache* cache) {
  make_pipeline([&] {
    state_ = translate_pipeline(info, object(info.renderPass)->shape(info.subpass));
    compile(device, info, cache);
  });
}

void GraphicsPipeline::compile(Device& device, const VkGraphicsPipelineCreateInfo& info,
                               PipelineCache* cache) {
  const VkPipelineShaderStageCreateInfo* vertex = nullptr;
  const VkPipelineShaderStageCreateInfo* fragment = nullptr;
  for (uint32_t i = 0; i < info.stageCount; i++) {
    if (info.pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT) vertex = &info.pStages[i];
    else if (info.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT) fragment = &info.pStages[i];
    else unsupported("a pipeline with a geometry or tessellation stage");
  }
  arch::Registers& registers = state_.registers;
  // The fragment stage comes first: what it does not read need not be computed before it.
  if (fragment && !registers.raster.rasterizer_discard) {
    compiler::Request request = stage_request(*fragment, arch::Stage::kFragment);
    request.live_outputs = live_colors(registers);
    request.samples = registers.raster.samples;
    fragment_ = device.programs().get(request, cache);
    if (!has_effect(fragment_->program)) fragment_.reset();
  }
  compiler::Request request = stage_request(*vertex, arch::Stage::kVertex);
  request.live_outputs = fragment_ ? locations_read(fragment_->program) : 0;
  request.live_point_size =
      registers.assembly.topology == static_cast<uint32_t>(arch::Topology::kPointList) ||
      registers.raster.polygon_mode == static_cast<uint32_t>(arch::PolygonMode::kPoint);
  vertex_ = device.programs().get(request, cache);

  link_stages(vertex_->program, fragment_ ? &fragment_->program : nullptr, registers);
  registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)].program = vertex_->code;
  if (fragment_) registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].program = fragment_->code;
}

VkResult CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                 const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks*,
                                 VkPipeline* pipelines) {
  return create_pipelines<GraphicsPipeline>(device, cache, std::span(infos, count), pipelines);
}

}  // namespace cutaway::icd
