#pragma once

#include <memory>
#include <string>

#include "arch/surface.h"
#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// A range of GPU memory.
struct BufferRange {
  arch::Address address = 0;  // 0: nothing is bound
  uint64_t bytes = 0;
};

// Converts a length to the 32 bits of a register or descriptor; longer ranges are clamped.
inline uint32_t word_of(uint64_t length) {
  return length > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(length);
}

// A raw buffer descriptor of a range, for loads by byte offset.
arch::Surface raw_surface(const BufferRange& range);

class Buffer {
 public:
  explicit Buffer(const VkBufferCreateInfo& info);         // to ask for its requirements, or to bind it later
  Buffer(Device& device, const VkBufferCreateInfo& info);  // a sparse one has its addresses at once
  ~Buffer();
  Buffer(const Buffer&) = delete;

  arch::Address address() const { return address_; }  // 0: no memory bound yet
  VkMemoryRequirements requirements() const;
  void bind(Device& device, DeviceMemory& memory, VkDeviceSize offset);
  // For captures.
  void set_name(Device& device, std::string name);
  const std::weak_ptr<void>& memory() const { return memory_; }
  const std::shared_ptr<host::SparseRange>& sparse() const { return sparse_; }  // null: it is not

  // Resolves VK_WHOLE_SIZE, and clamps the length to the buffer.
  VkDeviceSize range(VkDeviceSize offset, VkDeviceSize length) const {
    const VkDeviceSize rest = offset < bytes_ ? bytes_ - offset : 0;
    return length < rest ? length : rest;
  }

 private:
  std::unique_ptr<host::SparseRange> reserve(Device& device, const VkBufferCreateInfo& info) const;
  void annotate(Device& device);
  void announce(Device& device);  // it has its address

  const VkDeviceSize bytes_;
  const bool is_sparse_;
  arch::Address address_ = 0;
  arch::Address wanted_address_ = 0;  // where a recording had it; 0: anywhere
  std::weak_ptr<void> memory_;
  std::shared_ptr<host::SparseRange> sparse_;
  uint64_t annotation_ = 0;  // 0: none yet
  std::string name_;
};

}  // namespace cutaway::icd
