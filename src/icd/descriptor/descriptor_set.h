#pragma once

#include <memory>
#include <vector>

#include "host/address_space.h"
#include "icd/descriptor/descriptor_set_layout.h"

namespace cutaway::icd {

// What a descriptor says, by value: the view, sampler or buffer that it was written from may be gone before
// it is overwritten.
struct Descriptor {
  arch::Surface surface{};  // images and texel buffers
  arch::Sampler sampler{};
  arch::Address address = 0;  // buffers
  uint64_t bytes = 0;
};

// An update of descriptors of one type, of an inline uniform block: count bytes from byte `element` on. Else:
// an array of what the type takes (VkDescriptorImageInfo, VkDescriptorBufferInfo or VkBufferView), stride
// bytes apart.
struct DescriptorWrite {
  uint32_t binding, element;
  VkDescriptorType type;
  uint32_t count;
  const void* data;
  size_t stride;
};
DescriptorWrite descriptor_write(const VkWriteDescriptorSet& write);
size_t descriptor_info_bytes(VkDescriptorType type);  // of what the type takes

class DescriptorSet {
 public:
  // blocks: GPU memory for the shape's inline uniform blocks, where it has any.
  explicit DescriptorSet(std::shared_ptr<const SetShape> shape,
                         std::unique_ptr<host::Allocation> blocks = nullptr);

  const SetShape& shape() const { return *shape_; }
  // element counts on into the bindings that follow; nullptr beyond the set.
  const Descriptor* find(uint32_t binding, uint32_t element) const;

  void write(const DescriptorWrite& write);
  void copy(const VkCopyDescriptorSet& copy);

 private:
  friend class DescriptorPool;

  void write_block(const SetShape::Binding& binding, const DescriptorWrite& write);

  const std::shared_ptr<const SetShape> shape_;
  const std::unique_ptr<host::Allocation> blocks_;
  std::vector<Descriptor> descriptors_;
  size_t index_in_pool_ = 0;
};

}  // namespace cutaway::icd
