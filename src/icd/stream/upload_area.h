#pragma once

#include <memory>
#include <vector>

#include "icd/device/device.h"

namespace cutaway::icd {

// GPU memory that a command buffer fills while it is recorded: descriptor tables, push constants, data of
// vkCmdUpdateBuffer. Grows by chunks and keeps them across a reset.
class UploadArea {
 public:
  explicit UploadArea(Device& device) : device_(device) {}

  struct Place {
    host::Allocation* memory = nullptr;
    uint64_t offset = 0;
    arch::Address address() const { return memory->address() + offset; }
  };
  // Copies the bytes to a fresh place, a multiple of kMemoryAlignment. Valid until reset().
  Place place(const void* data, uint64_t bytes);
  Place reserve(uint64_t bytes);  // the same without contents
  arch::Address put(const void* data, uint64_t bytes) { return place(data, bytes).address(); }
  void reset() { chunk_ = 0, used_ = 0; }
  void release();  // frees the chunks

 private:
  static constexpr uint64_t kChunkBytes = 64 << 10;

  Device& device_;
  std::vector<std::unique_ptr<host::Allocation>> chunks_;
  size_t chunk_ = 0;   // the current chunk
  uint64_t used_ = 0;  // bytes of it in use
};

}  // namespace cutaway::icd
