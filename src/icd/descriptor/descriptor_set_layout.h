#pragma once

#include <memory>
#include <vector>

#include "arch/surface.h"
#include "icd/object.h"

namespace cutaway::icd {

// What a descriptor holds, and with it which array of a VkWriteDescriptorSet tells of it.
enum class DescriptorKind { kImage, kBuffer, kTexelBuffer, kInlineBlock };  // kImage: or a sampler, or both
DescriptorKind descriptor_kind(VkDescriptorType type);

// The shape of a descriptor set: its bindings lie in one array, in rising order of their numbers, which is
// also the order in which updates run over from one binding into the next.
struct SetShape {
  struct Binding {
    uint32_t number = 0;
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
    uint32_t first = 0, count = 0;                  // descriptors
    uint32_t first_dynamic = 0;                     // of the set's dynamic offsets
    uint32_t block_offset = 0, block_bytes = 0;     // an inline uniform block, in the set's memory
    std::vector<arch::Sampler> immutable_samplers;  // count or none
    VkDescriptorBindingFlags flags = 0;
    // What the binding takes of its pool: descriptors, of inline uniform blocks bytes.
    uint32_t pool_units() const { return block_bytes ? block_bytes : count; }
    // "Descriptor Binding Flags": what it holds is read when a submission is made, not before.
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
  uint32_t block_bytes = 0;  // of all inline uniform blocks
  bool live = false;         // one of the bindings is

  const Binding* find(uint32_t number) const;  // nullptr: no such binding
  const Binding* variable() const;             // the binding that each set has its own length of, or nullptr
  // "Pipeline Layout Compatibility": whether descriptors of one serve the other.
  bool identical(const SetShape& other) const;
};

// Sets and pipeline layouts keep the shape: the layout itself may be destroyed before them.
class DescriptorSetLayout {
 public:
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info);
  const std::shared_ptr<const SetShape>& shape() const { return shape_; }

 private:
  std::shared_ptr<const SetShape> shape_;
};

}  // namespace cutaway::icd
