#pragma once

#include "arch/surface.h"
#include "icd/object.h"

namespace cutaway::icd {

class Buffer {
 public:
  explicit Buffer(const VkBufferCreateInfo& info);

  arch::Address address() const { return address_; }  // 0: no memory bound yet
  VkMemoryRequirements requirements() const;
  void bind(DeviceMemory& memory, VkDeviceSize offset);

  // The length that VK_WHOLE_SIZE stands for, and no more than there is.
  VkDeviceSize range(VkDeviceSize offset, VkDeviceSize length) const {
    const VkDeviceSize rest = offset < bytes_ ? bytes_ - offset : 0;
    return length < rest ? length : rest;
  }
  // A descriptor of part of it, for loads by byte offset.
  arch::Surface raw_surface(VkDeviceSize offset, VkDeviceSize length) const;

 private:
  const VkDeviceSize bytes_;
  arch::Address address_ = 0;
};

}  // namespace cutaway::icd
