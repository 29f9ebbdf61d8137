#pragma once

#include <map>
#include <memory>
#include <vector>

#include "icd/descriptor/descriptor_set.h"

namespace cutaway::icd {

// Owns its sets and counts their use of the pool.
class DescriptorPool {
 public:
  explicit DescriptorPool(const VkDescriptorPoolCreateInfo& info);

  // Throws VK_ERROR_OUT_OF_POOL_MEMORY if the pool's capacity is exceeded. blocks: memory for the set's
  // inline uniform blocks. variable: the length of its variable-length binding.
  DescriptorSet* allocate(const DescriptorSetLayout& layout,
                          std::unique_ptr<host::Allocation> blocks = nullptr, uint32_t variable = 0);
  void free(DescriptorSet& set);
  void reset();

 private:
  const uint32_t max_sets_;
  std::map<VkDescriptorType, uint32_t> capacity_, left_;
  std::vector<std::unique_ptr<DescriptorSet>> sets_;
};

}  // namespace cutaway::icd
