#pragma once

#include <memory>
#include <optional>

#include "icd/descriptor/descriptor_set.h"
#include "icd/resource/buffer.h"

namespace cutaway::icd {

// Which descriptor a slot is filled from.
struct DescriptorUse {
  const DescriptorSet* set = nullptr;
  uint32_t binding = 0, element = 0;
  uint64_t offset = 0;           // of a dynamic buffer, bytes
  std::optional<uint32_t> view;  // of a multiview subpass
  bool live = false;             // SetShape::Binding::live
  bool operator==(const DescriptorUse&) const = default;
};

// The layer of an attachment that a draw works on.
arch::Surface layer_of_view(arch::Surface surface, std::optional<uint32_t> view);

// What a descriptor gives a resource slot, and of a buffer what constants are loaded from.
arch::Surface resource_of(const DescriptorUse& use, const Descriptor& descriptor);
BufferRange range_of(const DescriptorUse& use, const Descriptor& descriptor);

// What a live descriptor holds at this moment, and the memory behind it: as long as it is held, the GPU can
// reach it. What lies in memory that was given back is a null descriptor.
struct HeldDescriptor {
  explicit HeldDescriptor(const DescriptorUse& use);
  Descriptor descriptor;
  std::shared_ptr<host::Allocation> memory;
};

}  // namespace cutaway::icd
