#pragma once

#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

class DescriptorUpdateTemplate {
 public:
  explicit DescriptorUpdateTemplate(const VkDescriptorUpdateTemplateCreateInfo& info);
  void apply(DescriptorSet& set, const void* data) const;

 private:
  const std::vector<VkDescriptorUpdateTemplateEntry> entries_;
};

}  // namespace cutaway::icd
