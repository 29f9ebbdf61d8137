#pragma once

#include <memory>
#include <vector>

#include "arch/surface.h"
#include "icd/object.h"

namespace cutaway::icd {

// The kind of a descriptor's contents; it determines the array of a VkWriteDescriptorSet that describes it.
enum class DescriptorKind { kImage, kBuffer, kTexelBuffer, kInlineBlock };  // kImage: image, sampler, or both
DescriptorKind descriptor_kind(VkDescriptorType type);

// The shape of a descriptor set. Its bindings are in one array, in rising order of their numbers, which is
// also the order in which updates run over from one binding into the next.
struct SetShape {
  struct Binding {
    uint32_t number = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
    uint32_t first = 0, count = 0;                  // descriptors
    uint32_t first_dynamic = 0;                     // index into the set's dynamic offsets
    uint32_t block_offset = 0, block_bytes = 0;     // an inline uniform block's range in the set's memory
    std::vector<arch::Sampler> immutable_samplers;  // `count` or none
    VkDescriptorBindingFlags flags = 0;
    // The binding's use of its pool: number of descriptors, or bytes of an inline uniform block.
    uint32_t pool_units() const { return block_bytes ? block_bytes : count; }
    // "Descriptor Binding Flags": the descriptor is read at submission, not earlier.
    bool live() const {
      return flags &
             (VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT);
    }
    bool variable() const { return flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT; }
    bool dynamic() const {
      return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
             type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    }
  };
  std::vector<Binding> bindings;
  uint32_t descriptors = 0, dynamic_offsets = 0;
  uint32_t block_bytes = 0;  // total of all inline uniform blocks
  bool live = false;         // some binding is live

  const Binding* find(uint32_t number) const;  // nullptr: no such binding
  const Binding* variable() const;             // the binding whose length varies by set, or nullptr
  // "Pipeline Layout Compatibility": true if descriptor sets of one shape fit the other.
  bool identical(const SetShape& other) const;
};

// Sets and pipeline layouts share the shape: the layout itself may be destroyed before them.
class DescriptorSetLayout {
 public:
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info);
  const std::shared_ptr<const SetShape>& shape() const { return shape_; }

 private:
  std::shared_ptr<const SetShape> shape_;
};

}  // namespace cutaway::icd
