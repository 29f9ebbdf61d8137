#include "icd/descriptor/descriptor_pool.h"

#include "icd/device/device.h"

namespace cutaway::icd {

DescriptorPool::DescriptorPool(const VkDescriptorPoolCreateInfo& info) : max_sets_(info.maxSets) {
  for (uint32_t i = 0; i < info.poolSizeCount; i++)
    capacity_[info.pPoolSizes[i].type] += info.pPoolSizes[i].descriptorCount;
  left_ = capacity_;
}

DescriptorSet* DescriptorPool::allocate(const DescriptorSetLayout& layout,
                                        std::unique_ptr<host::Allocation> blocks, uint32_t variable) {
  if (sets_.size() >= max_sets_) throw ApiError{VK_ERROR_OUT_OF_POOL_MEMORY};
  std::map<VkDescriptorType, uint32_t> left = left_;
  for (const SetShape::Binding& binding : layout.shape()->bindings) {
    uint32_t& of_type = left[binding.type];
    const uint32_t units = DescriptorSet::units(binding, variable);
    if (of_type < units) throw ApiError{VK_ERROR_OUT_OF_POOL_MEMORY};
    of_type -= units;
  }
  sets_.push_back(std::make_unique<DescriptorSet>(layout.shape(), std::move(blocks), variable));
  forget_private_data(sets_.back().get());
  sets_.back()->index_in_pool_ = sets_.size() - 1;
  left_ = std::move(left);
  return sets_.back().get();
}

void DescriptorPool::free(DescriptorSet& set) {
  for (const SetShape::Binding& binding : set.shape().bindings)
    left_[binding.type] += set.pool_units(binding);
  const size_t index = set.index_in_pool_;
  std::swap(sets_[index], sets_.back());
  sets_[index]->index_in_pool_ = index;
  sets_.pop_back();
}

void DescriptorPool::reset() {
  sets_.clear();
  left_ = capacity_;
}

VkResult CreateDescriptorPool(VkDevice, const VkDescriptorPoolCreateInfo* info, const VkAllocationCallbacks*,
                              VkDescriptorPool* pool) {
  return create(pool, *info);
}

void DestroyDescriptorPool(VkDevice, VkDescriptorPool pool, const VkAllocationCallbacks*) { destroy(pool); }

VkResult ResetDescriptorPool(VkDevice, VkDescriptorPool pool, VkDescriptorPoolResetFlags) {
  object(pool)->reset();
  return VK_SUCCESS;
}

VkResult AllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo* info,
                                VkDescriptorSet* sets) {
  DescriptorPool& pool = *object(info->descriptorPool);
  const auto* lengths = find_struct<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  uint32_t made = 0;
  const VkResult result = guard([&] {
    for (; made < info->descriptorSetCount; made++) {
      const DescriptorSetLayout& layout = *object(info->pSetLayouts[made]);
      const uint32_t bytes = layout.shape()->block_bytes;
      // "If [...] is not included in the pNext chain, [...] the count is zero".
      const uint32_t variable =
          lengths && made < lengths->descriptorSetCount ? lengths->pDescriptorCounts[made] : 0;
      sets[made] = handle(pool.allocate(layout, bytes ? object(device)->allocate(bytes) : nullptr, variable));
    }
  });
  if (result == VK_SUCCESS) return result;
  // "If the creation of any of those descriptor sets fails, then the implementation must destroy all
  // successfully created descriptor set objects from this command, set all entries [...] to VK_NULL_HANDLE".
  for (uint32_t i = 0; i < made; i++) pool.free(*object(sets[i]));
  for (uint32_t i = 0; i < info->descriptorSetCount; i++) sets[i] = VK_NULL_HANDLE;
  return result;
}

VkResult FreeDescriptorSets(VkDevice, VkDescriptorPool pool, uint32_t count, const VkDescriptorSet* sets) {
  for (uint32_t i = 0; i < count; i++)
    if (sets[i]) object(pool)->free(*object(sets[i]));
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
