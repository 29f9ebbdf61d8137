#pragma once

#include <memory>

#include "arch/surface.h"
#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// Part of GPU memory.
struct BufferRange {
  arch::Address address = 0;  // 0: nothing is bound
  uint64_t bytes = 0;
};

// A length as a register or a descriptor holds it: what is longer is reached as far as 32 bits go.
inline uint32_t word_of(uint64_t length) {
  return length > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(length);
}

// A descriptor of a range, for loads by byte offset.
arch::Surface raw_surface(const BufferRange& range);

class Buffer {
 public:
  explicit Buffer(const VkBufferCreateInfo& info);

  arch::Address address() const { return address_; }  // 0: no memory bound yet
  VkMemoryRequirements requirements() const;
  void bind(DeviceMemory& memory, VkDeviceSize offset);
  const std::weak_ptr<host::Allocation>& memory() const { return memory_; }

  // The length that VK_WHOLE_SIZE stands for, and no more than there is.
  VkDeviceSize range(VkDeviceSize offset, VkDeviceSize length) const {
    const VkDeviceSize rest = offset < bytes_ ? bytes_ - offset : 0;
    return length < rest ? length : rest;
  }

 private:
  const VkDeviceSize bytes_;
  arch::Address address_ = 0;
  std::weak_ptr<host::Allocation> memory_;
};

}  // namespace cutaway::icd
