#pragma once

#include <memory>
#include <optional>

#include "icd/descriptor/descriptor_set.h"
#include "icd/resource/buffer.h"

namespace cutaway::icd {

// The descriptor that fills a slot.
struct DescriptorUse {
  const DescriptorSet* set = nullptr;
  uint32_t binding = 0, element = 0;
  uint64_t offset = 0;           // of a dynamic buffer, in bytes
  std::optional<uint32_t> view;  // of a multiview subpass
  bool live = false;             // SetShape::Binding::live
  bool operator==(const DescriptorUse&) const = default;
};

// The layer of an attachment that a draw writes.
arch::Surface layer_of_view(arch::Surface surface, std::optional<uint32_t> view);

// A descriptor's contents for a resource slot, and a buffer's range for constant loads.
arch::Surface resource_of(const DescriptorUse& use, const Descriptor& descriptor);
BufferRange range_of(const DescriptorUse& use, const Descriptor& descriptor);

// The current contents of a live descriptor and the memory behind it. While this object lives, the GPU can
// access the memory. A descriptor of freed memory reads as a null descriptor.
struct HeldDescriptor {
  explicit HeldDescriptor(const DescriptorUse& use);
  Descriptor descriptor;
  std::shared_ptr<void> memory;
};

}  // namespace cutaway::icd
