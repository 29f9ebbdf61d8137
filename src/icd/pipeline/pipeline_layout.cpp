#include "icd/pipeline/pipeline_layout.h"

namespace cutaway::icd {

PipelineLayout::PipelineLayout(const VkPipelineLayoutCreateInfo& info) {
  for (uint32_t i = 0; i < info.setLayoutCount; i++) shapes_.push_back(object(info.pSetLayouts[i])->shape());
}

VkResult CreatePipelineLayout(VkDevice, const VkPipelineLayoutCreateInfo* info, const VkAllocationCallbacks*,
                              VkPipelineLayout* layout) {
  return create(layout, *info);
}

void DestroyPipelineLayout(VkDevice, VkPipelineLayout layout, const VkAllocationCallbacks*) {
  destroy(layout);
}

}  // namespace cutaway::icd
