#include "icd/device/device_memory.h"

#include <new>

#include "icd/device/device.h"
#include "icd/device/limits.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {

DeviceMemory::DeviceMemory(Device& device, const VkMemoryAllocateInfo& info) : bytes_(info.allocationSize) {
  if (const auto* exported =
          find_struct<VkExportMemoryAllocateInfo>(info.pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO))
    if (exported->handleTypes) throw ApiError{VK_ERROR_INVALID_EXTERNAL_HANDLE};
  const arch::Placement placement = PhysicalDevice::memory_of(info.memoryTypeIndex);
  if (bytes_ > PhysicalDevice::memory().memoryHeaps[0].size) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  const auto* flags =
      find_struct<VkMemoryAllocateFlagsInfo>(info.pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  const auto has = [&](VkMemoryAllocateFlags flag) { return flags && (flags->flags & flag); };
  if (const auto* imported = find_struct<VkImportMemoryHostPointerInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
      imported && imported->handleType) {
    allocation_ = import(device, *imported, placement);
    return;
  }
  const bool replays = has(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT);
  allocation_ = replays ? allocate_for_replay(device, info)
                        : device.memory().allocate(bytes_, host::Owner::kApplication, {.memory = placement});
  if (has(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT) && allocation_->address() + bytes_ > kDeviceAddresses)
    throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
}

// "VkImportMemoryHostPointerInfoEXT"
std::unique_ptr<host::Allocation> DeviceMemory::import(Device& device,
                                                       const VkImportMemoryHostPointerInfoEXT& info,
                                                       arch::Placement placement) {
  if (info.handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT ||
      reinterpret_cast<uintptr_t>(info.pHostPointer) % arch::kPageBytes || bytes_ % arch::kPageBytes ||
      !bytes_)
    throw ApiError{VK_ERROR_INVALID_EXTERNAL_HANDLE};
  return device.memory().import(static_cast<std::byte*>(info.pHostPointer), bytes_, placement);
}

// "VkMemoryOpaqueCaptureAddressAllocateInfo". Memory whose address is asked for again in another process lies
// far from all other memory, so that its place is free there, whatever else was allocated before.
std::unique_ptr<host::Allocation> DeviceMemory::allocate_for_replay(Device& device,
                                                                    const VkMemoryAllocateInfo& info) {
  const auto* wanted = find_struct<VkMemoryOpaqueCaptureAddressAllocateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO);
  const arch::Address at = wanted ? wanted->opaqueCaptureAddress : 0;
  try {
    return device.memory().allocate(
        bytes_, host::Owner::kApplication,
        {.at = at, .end = kDeviceAddresses, .memory = PhysicalDevice::memory_of(info.memoryTypeIndex)});
  } catch (const std::bad_alloc&) {
    if (!at) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
    throw ApiError{
        VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
        fmt::format("memory of {} bytes at address {:#x}, which was recorded, cannot be had: this driver "
                    "gives memory of recordings addresses below {:#x}",
                    bytes_, at, kDeviceAddresses)};
  }
}

void tell_requirements(const VkMemoryRequirements& needs, VkMemoryRequirements2& to) {
  to.memoryRequirements = needs;
  if (auto* dedicated = find_struct<VkMemoryDedicatedRequirements>(
          to.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS))
    dedicated->prefersDedicatedAllocation = dedicated->requiresDedicatedAllocation = VK_FALSE;
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

VkResult GetMemoryHostPointerPropertiesEXT(VkDevice, VkExternalMemoryHandleTypeFlagBits type, const void*,
                                           VkMemoryHostPointerPropertiesEXT* properties) {
  if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  // The host's own memory is system memory, if the chip tells the two apart.
  const uint32_t system = PhysicalDevice::memory_types(arch::Placement::kSystem);
  properties->memoryTypeBits = system ? system : PhysicalDevice::memory_types();
  return VK_SUCCESS;
}

uint64_t GetDeviceMemoryOpaqueCaptureAddress(VkDevice, const VkDeviceMemoryOpaqueCaptureAddressInfo* info) {
  return object(info->memory)->address();
}

}  // namespace cutaway::icd
