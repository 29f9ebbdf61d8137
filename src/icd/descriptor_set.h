#pragma once

#include <memory>
#include <vector>

#include "icd/descriptor_set_layout.h"

namespace cutaway::icd {

// What a descriptor says, by value: the view, sampler or buffer that it was written from may be gone before
// it is overwritten.
struct Descriptor {
  arch::Surface surface{};  // images and texel buffers
  arch::Sampler sampler{};
  arch::Address address = 0;  // buffers
  uint64_t bytes = 0;
};

class DescriptorSet {
 public:
  DescriptorSet(DescriptorPool& pool, std::shared_ptr<const SetShape> shape);

  const SetShape& shape() const { return *shape_; }
  DescriptorPool& pool() const { return pool_; }
  // element counts on into the bindings that follow; nullptr beyond the set.
  const Descriptor* find(uint32_t binding, uint32_t element) const;

  // Writes count descriptors from an array of what the type takes: VkDescriptorImageInfo,
  // VkDescriptorBufferInfo or VkBufferView, stride bytes apart.
  void write(uint32_t binding, uint32_t element, VkDescriptorType type, uint32_t count, const void* data,
             size_t stride);
  void copy(const VkCopyDescriptorSet& copy);

 private:
  friend class DescriptorPool;

  DescriptorPool& pool_;
  const std::shared_ptr<const SetShape> shape_;
  std::vector<Descriptor> descriptors_;
  size_t index_in_pool_ = 0;
};

}  // namespace cutaway::icd
