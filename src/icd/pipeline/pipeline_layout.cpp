#include "icd/pipeline/pipeline_layout.h"

namespace cutaway::icd {

PipelineLayout::PipelineLayout(const VkPipelineLayoutCreateInfo& info) {
  for (uint32_t i = 0; i < info.setLayoutCount; i++) {
    const DescriptorSetLayout* layout = object(info.pSetLayouts[i]);
    shapes_.push_back(layout ? layout->shape() : nullptr);
  }
}

void PipelineLayout::add(const PipelineLayout& other) {
  if (shapes_.size() < other.shapes_.size()) shapes_.resize(other.shapes_.size());
  for (size_t i = 0; i < other.shapes_.size(); i++)
    if (!shapes_[i]) shapes_[i] = other.shapes_[i];
}

std::vector<compiler::DescriptorCount> PipelineLayout::descriptor_counts() const {
  std::vector<compiler::DescriptorCount> counts;
  for (uint32_t set = 0; set < shapes_.size(); set++) {
    if (!shapes_[set]) continue;
    for (const SetShape::Binding& binding : shapes_[set]->bindings)
      counts.push_back({set, binding.number, binding.count});
  }
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
