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
  std::weak_ptr<void> owner() const { return allocation_; }

 private:
  std::unique_ptr<host::Allocation> import(Device& device, const VkImportMemoryHostPointerInfoEXT& info,
                                           arch::Placement placement);
  std::unique_ptr<host::Allocation> allocate_for_replay(Device& device, const VkMemoryAllocateInfo& info);

  const VkDeviceSize bytes_;
  std::shared_ptr<host::Allocation> allocation_;
};

// Tells what a resource needs, in VkMemoryRequirements2 and the structures that extend it.
void tell_requirements(const VkMemoryRequirements& needs, VkMemoryRequirements2& to);

}  // namespace cutaway::icd
