#pragma once

#include <memory>

#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

class DeviceMemory {
 public:
  DeviceMemory(Device& device, const VkMemoryAllocateInfo& info);

  arch::Address address() const { return allocation_->address(); }
  VkDeviceSize bytes() const { return bytes_; }
  host::Allocation& allocation() { return *allocation_; }
  // Who locks it keeps the memory beyond vkFreeMemory.
  std::weak_ptr<host::Allocation> owner() const { return allocation_; }

 private:
  const VkDeviceSize bytes_;
  std::shared_ptr<host::Allocation> allocation_;
};

}  // namespace cutaway::icd
