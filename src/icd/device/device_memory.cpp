#include "icd/device/device_memory.h"

#include "icd/device/device.h"
#include "icd/device/limits.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {

DeviceMemory::DeviceMemory(Device& device, const VkMemoryAllocateInfo& info) : bytes_(info.allocationSize) {
  if (const auto* exported =
          find_struct<VkExportMemoryAllocateInfo>(info.pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO))
    if (exported->handleTypes) throw ApiError{VK_ERROR_INVALID_EXTERNAL_HANDLE};
  if (bytes_ > PhysicalDevice::memory().memoryHeaps[0].size) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  allocation_ = device.memory().allocate(bytes_, host::Owner::kApplication);
  const auto* flags =
      find_struct<VkMemoryAllocateFlagsInfo>(info.pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  const bool by_address = flags && (flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
  if (by_address && allocation_->address() + bytes_ > kDeviceAddresses)
    throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
}

VkResult AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                        VkDeviceMemory* memory) {
  return create(memory, *object(device), *info);
}

void FreeMemory(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) { destroy(memory); }

VkResult MapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize, VkMemoryMapFlags,
                   void** data) {
  *data = object(memory)->allocation().map() + offset;
  return VK_SUCCESS;
}

void UnmapMemory(VkDevice, VkDeviceMemory memory) { object(memory)->allocation().unmap(); }

// All memory is HOST_COHERENT: submissions compare what is mapped.
VkResult FlushMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange*) { return VK_SUCCESS; }
VkResult InvalidateMappedMemoryRanges(VkDevice, uint32_t, const VkMappedMemoryRange*) { return VK_SUCCESS; }

void GetDeviceMemoryCommitment(VkDevice, VkDeviceMemory memory, VkDeviceSize* bytes) {
  *bytes = object(memory)->bytes();
}

// Addresses are not captured for replays.
uint64_t GetDeviceMemoryOpaqueCaptureAddress(VkDevice, const VkDeviceMemoryOpaqueCaptureAddressInfo*) {
  return 0;
}

}  // namespace cutaway::icd
