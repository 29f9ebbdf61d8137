#pragma once

#include <vector>

#include "icd/descriptor/descriptor_set.h"

namespace cutaway::icd {

class DescriptorUpdateTemplate {
 public:
  explicit DescriptorUpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& info);
  // Calls visit with each DescriptorWrite of the data.
  template <class Visit>
  void for_each_write(const void* data, Visit&& visit) const {
    for (const VkDescriptorUpdateTemplateEntry& entry : entries_)
      visit(DescriptorWrite{entry.dstBinding, entry.dstArrayElement, entry.descriptorType,
                            entry.descriptorCount, static_cast<const std::byte*>(data) + entry.offset,
                            entry.stride});
  }
  VkPipelineBindPoint bind_point() const { return bind_point_; }  // for a push descriptor template

 private:
  const std::vector<VkDescriptorUpdateTemplateEntry> entries_;
  const VkPipelineBindPoint bind_point_;
};

}  // namespace cutaway::icd
