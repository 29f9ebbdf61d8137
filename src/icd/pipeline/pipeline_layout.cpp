#include "icd/pipeline/pipeline_layout.h"

namespace cutaway::icd {

PipelineLayout::PipelineLayout(const VkPipelineLayoutCreateInfo& info) {
  for (uint32_t i = 0; i < info.setLayoutCount; i++) shapes_.push_back(object(info.pSetLayouts[i])->shape());
}

std::vector<compiler::DescriptorCount> PipelineLayout::descriptor_counts() const {
  std::vector<compiler::DescriptorCount> counts;
  for (uint32_t set = 0; set < shapes_.size(); set++)
    for (const SetShape::Binding& binding : shapes_[set]->bindings)
      counts.push_back({set, binding.number, binding.count});
  return counts;
}

VkResult CreatePipelineLayout(VkDevice, const VkPipelineLayoutCreateInfo* info, const VkAllocationCallbacks*,
                              VkPipelineLayout* layout) {
  return create(layout, *info);
}

void DestroyPipelineLayout(VkDevice, VkPipelineLayout layout, const VkAllocationCallbacks*) {
  destroy(layout);
}

}  // namespace cutaway::icd
