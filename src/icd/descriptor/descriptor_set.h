#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "host/address_space.h"
#include "icd/descriptor/descriptor_set_layout.h"

namespace cutaway::icd {

// A descriptor's contents, by value: the view, sampler or buffer that it was written from may be destroyed
// before it is overwritten.
struct Descriptor {
  arch::Surface surface{};  // images and texel buffers
  arch::Sampler sampler{};
  arch::Address address = 0;  // buffers
  uint64_t bytes = 0;
  std::weak_ptr<void> memory;  // the memory behind it
};

// An update of descriptors of one type. For an inline uniform block: count bytes from byte `element` on.
// Otherwise: an array of the type's info structure (VkDescriptorImageInfo, VkDescriptorBufferInfo or
// VkBufferView), stride bytes apart.
struct DescriptorWrite {
  uint32_t binding, element;
  VkDescriptorType type;
  uint32_t count;
  const void* data;
  size_t stride;
};
DescriptorWrite descriptor_write(const VkWriteDescriptorSet& write);
size_t descriptor_info_bytes(VkDescriptorType type);  // size of the type's info structure

class DescriptorSet {
 public:
  // blocks: GPU memory for the shape's inline uniform blocks, if it has any. variable: length of the
  // variable-length binding.
  explicit DescriptorSet(std::shared_ptr<const SetShape> shape,
                         std::unique_ptr<host::Allocation> blocks = nullptr, uint32_t variable = 0);

  const SetShape& shape() const { return *shape_; }
  // element may run over into the following bindings; nullptr beyond the set.
  const Descriptor* find(uint32_t binding, uint32_t element) const;
  // The current contents; empty beyond the set.
  Descriptor now(uint32_t binding, uint32_t element) const;
  // A binding's use of the pool.
  uint32_t pool_units(const SetShape::Binding& binding) const { return units(binding, variable_); }
  static uint32_t units(const SetShape::Binding& binding, uint32_t variable) {
    return binding.variable() ? variable : binding.pool_units();
  }

  void write(const DescriptorWrite& write);
  void copy(const VkCopyDescriptorSet& copy);

 private:
  friend class DescriptorPool;

  std::unique_lock<std::mutex> lock() const {
    return shape_->live ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }
  void write_block(const SetShape::Binding& binding, const DescriptorWrite& write);

  const std::shared_ptr<const SetShape> shape_;
  const std::unique_ptr<host::Allocation> blocks_;
  const uint32_t variable_;
  // "exempt from the external synchronization requirement": updates of live bindings.
  mutable std::mutex mutex_;
  std::vector<Descriptor> descriptors_;
  size_t index_in_pool_ = 0;
};

}  // namespace cutaway::icd
