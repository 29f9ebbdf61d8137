#include "icd/pipeline/graphics_pipeline.h"

#include <algorithm>

#include "icd/pass/rendering.h"
#include "icd/pipeline/pipeline_library.h"

namespace cutaway::icd {

// A derivative pipeline is made like any other: programs are shared with or without the hint.
GraphicsPipeline::GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info,
                                   const SubpassShape& subpass, ProgramSource from)
    : device_(device),
      loops_depth_(info.flags & VK_PIPELINE_CREATE_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) {
  make_pipeline([&] {
    state_ = translate_pipeline(info, subpass);
    const PipelineStages stages(info);
    // Where draws alone say what they draw, it is mostly triangles.
    const auto topology = info.pInputAssemblyState
                              ? static_cast<VkPrimitiveTopology>(state_.registers.assembly.topology)
                              : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    made_.push_back(std::make_unique<const PipelinePrograms>(
        make_programs(device, stages, state_, stages.shape_for(state_.extended, topology), from)));
    if (state_.dynamic & kDynamicCompiled) keep_stages(info);
  });
}

void GraphicsPipeline::keep_stages(const VkGraphicsPipelineCreateInfo& info) {
  VkGraphicsPipelineCreateInfo kept{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  for (uint32_t i = 0; i < info.stageCount; i++)
    kept_.infos.push_back(kept_.stages.emplace_back(info.pStages[i]).info());
  if (info.layout) kept_.layout = *object(info.layout);
  kept.stageCount = static_cast<uint32_t>(kept_.infos.size());
  kept.pStages = kept_.infos.data();
  kept.layout = handle(&kept_.layout);
  stages_.emplace(kept);
}

const PipelinePrograms& GraphicsPipeline::programs_for(const ExtendedState& joined,
                                                       VkPrimitiveTopology topology) const {
  if (!stages_) return *made_.front();
  if (!(dynamic() & kDynamicTopology))
    topology = static_cast<VkPrimitiveTopology>(state_.registers.assembly.topology);
  const ProgramShape shape = stages_->shape_for(joined, topology);
  const std::lock_guard lock(mutex_);
  for (const auto& made : made_)
    if (made->shape == shape) return *made;
  make_pipeline([&] {
    made_.push_back(std::make_unique<const PipelinePrograms>(
        make_programs(device_, *stages_, state_, shape, ProgramSource{})));
  });
  for (const StoredProgram* program : made_.back()->all())
    if (program) device_.programs().name(*program, name_, NameOrigin::kPipeline);
  return *made_.back();
}

std::vector<const StoredProgram*> GraphicsPipeline::programs() const {
  const std::lock_guard lock(mutex_);
  std::vector<const StoredProgram*> all;
  for (const auto& made : made_)
    for (const StoredProgram* program : made->all()) all.push_back(program);
  return all;
}

void GraphicsPipeline::set_name(std::string_view name) {
  const std::lock_guard lock(mutex_);
  name_ = name;
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
