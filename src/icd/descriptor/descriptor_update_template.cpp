#include "icd/descriptor/descriptor_update_template.h"

namespace cutaway::icd {

DescriptorUpdateTemplate::DescriptorUpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& info)
    : entries_(info.pDescriptorUpdateEntries,
               info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount),
      bind_point_(info.pipelineBindPoint) {}

VkResult CreateDescriptorUpdateTemplate(VkDevice, const VkDescriptorUpdateTemplateCreateInfo* info,
                                        const VkAllocationCallbacks*, VkDescriptorUpdateTemplate* out) {
  return create(out, *info);
}

void DestroyDescriptorUpdateTemplate(VkDevice, VkDescriptorUpdateTemplate update_template,
                                     const VkAllocationCallbacks*) {
  destroy(update_template);
}

void UpdateDescriptorSetWithTemplate(VkDevice, VkDescriptorSet set,
                                     VkDescriptorUpdateTemplate update_template, const void* data) {
  object(update_template)->for_each_write(data, [set](const DescriptorWrite& write) {
    object(set)->write(write);
  });
}

}  // namespace cutaway::icd
