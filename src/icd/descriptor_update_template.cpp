#include "icd/descriptor_update_template.h"

#include "icd/descriptor_set.h"

namespace cutaway::icd {

DescriptorUpdateTemplate::DescriptorUpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& info)
    : entries_(info.pDescriptorUpdateEntries,
               info.pDescriptorUpdateEntries + info.descriptorUpdateEntryCount) {
  if (info.templateType != VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET)
    unsupported("a descriptor update template for push descriptors");
}

void DescriptorUpdateTemplate::apply(DescriptorSet& set, const void* data) const {
  for (const VkDescriptorUpdateTemplateEntry& entry : entries_)
    set.write(entry.dstBinding, entry.dstArrayElement, entry.descriptorType, entry.descriptorCount,
              static_cast<const std::byte*>(data) + entry.offset, entry.stride);
}

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
  object(update_template)->apply(*object(set), data);
}

}  // namespace cutaway::icd
