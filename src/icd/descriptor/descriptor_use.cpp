#include "icd/descriptor/descriptor_use.h"

#include "base/round_up.h"
#include "icd/device/limits.h"

namespace cutaway::icd {

arch::Surface layer_of_view(arch::Surface surface, std::optional<uint32_t> view) {
  if (!view) return surface;
  surface.base_layer += *view;
  surface.layer_count = 1;
  return surface;
}

BufferRange range_of(const DescriptorUse& use, const Descriptor& descriptor) {
  if (!descriptor.address) return {};
  return {descriptor.address + use.offset, descriptor.bytes};
}

arch::Surface resource_of(const DescriptorUse& use, const Descriptor& descriptor) {
  const VkDescriptorType type = use.set->shape().find(use.binding)->type;
  // "a view of an input attachment": the layer being drawn.
  if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) return layer_of_view(descriptor.surface, use.view);
  const DescriptorKind kind = descriptor_kind(type);
  if (kind != DescriptorKind::kBuffer && kind != DescriptorKind::kInlineBlock) return descriptor.surface;
  const BufferRange buffer = range_of(use, descriptor);
  if (!buffer.address) return {};
  // The range of a uniform block extends to the end of its last constant register, however it is read.
  const bool uniform = type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                       type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                       type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const uint64_t bytes = uniform ? round_up(buffer.bytes, kVec4Bytes) : buffer.bytes;
  return raw_surface({buffer.address, bytes});
}

HeldDescriptor::HeldDescriptor(const DescriptorUse& use)
    : descriptor(use.set->now(use.binding, use.element)), memory(descriptor.memory.lock()) {
  if (memory) return;
  descriptor.surface = {};
  descriptor.address = descriptor.bytes = 0;
}

}  // namespace cutaway::icd
