// The queries that work on a physical device, in Vulkan 1.0's form and in the extensible "2" form.
#include <algorithm>
#include <vector>

#include "icd/device/physical_device.h"
#include "icd/loader/extensions.h"
#include "icd/resource/format_support.h"

namespace cutaway::icd {

void GetPhysicalDeviceProperties(VkPhysicalDevice, VkPhysicalDeviceProperties* properties) {
  *properties = PhysicalDevice::properties();
}
void GetPhysicalDeviceProperties2(VkPhysicalDevice, VkPhysicalDeviceProperties2* properties) {
  properties->properties = PhysicalDevice::properties();
  PhysicalDevice::extend_properties(properties->pNext);
}

void GetPhysicalDeviceFeatures(VkPhysicalDevice, VkPhysicalDeviceFeatures* features) {
  *features = PhysicalDevice::features();
}
void GetPhysicalDeviceFeatures2(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
  features->features = PhysicalDevice::features();
  PhysicalDevice::extend_features(features->pNext);
}

void GetPhysicalDeviceMemoryProperties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* properties) {
  *properties = PhysicalDevice::memory();
}
void GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties2* properties) {
  properties->memoryProperties = PhysicalDevice::memory();
}

void GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t* count,
                                            VkQueueFamilyProperties* properties) {
  enumerate(PhysicalDevice::queue_families(), count, properties);
}
void GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice, uint32_t* count,
                                             VkQueueFamilyProperties2* properties) {
  const std::vector<VkQueueFamilyProperties> families = PhysicalDevice::queue_families();
  const auto size = static_cast<uint32_t>(families.size());
  const uint32_t given = properties ? std::min(*count, size) : 0;
  for (uint32_t i = 0; i < given; i++) properties[i].queueFamilyProperties = families[i];
  *count = properties ? given : size;
}

void GetPhysicalDeviceFormatProperties(VkPhysicalDevice, VkFormat format, VkFormatProperties* properties) {
  *properties = format_support(format);
}
void GetPhysicalDeviceFormatProperties2(VkPhysicalDevice, VkFormat format, VkFormatProperties2* properties) {
  properties->formatProperties = format_support(format);
  if (auto* wide = find_struct<VkFormatProperties3>(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3))
    format_support(format, *wide);
}

namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kNoHandle{};

// "External Memory Handle Types": memory of the host can be imported.
VkExternalMemoryProperties external_memory(VkExternalMemoryHandleTypeFlagBits type) {
  if (type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT)
    return {0, 0, static_cast<VkExternalMemoryHandleTypeFlags>(type)};
  return {VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, 0, static_cast<VkExternalMemoryHandleTypeFlags>(type)};
}

}  // namespace

VkResult GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice,
                                                 const VkPhysicalDeviceImageFormatInfo2* info,
                                                 VkImageFormatProperties2* properties) {
  const auto* handle = find_struct<VkPhysicalDeviceExternalImageFormatInfo>(
      info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
  const VkExternalMemoryProperties by_handle = external_memory(handle ? handle->handleType : kNoHandle);
  if (auto* external = find_struct<VkExternalImageFormatProperties>(
          properties->pNext, VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES))
    external->externalMemoryProperties = by_handle;
  // "combinedImageSamplerDescriptorCount": 1 for all but multi-planar formats, which are not there.
  if (auto* conversion = find_struct<VkSamplerYcbcrConversionImageFormatProperties>(
          properties->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES))
    conversion->combinedImageSamplerDescriptorCount = 1;
  if (handle && handle->handleType && !by_handle.externalMemoryFeatures) return VK_ERROR_FORMAT_NOT_SUPPORTED;
  return image_support(*info, properties->imageFormatProperties) ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}
VkResult GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice, VkFormat format, VkImageType type,
                                                VkImageTiling tiling, VkImageUsageFlags usage,
                                                VkImageCreateFlags flags,
                                                VkImageFormatProperties* properties) {
  VkPhysicalDeviceImageFormatInfo2 info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
  info.format = format, info.type = type, info.tiling = tiling, info.usage = usage, info.flags = flags;
  return image_support(info, *properties) ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED;
}

void GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice,
                                               const VkPhysicalDeviceExternalBufferInfo* info,
                                               VkExternalBufferProperties* properties) {
  properties->externalMemoryProperties = external_memory(info->handleType);
}
void GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice, const VkPhysicalDeviceExternalFenceInfo*,
                                              VkExternalFenceProperties* properties) {
  properties->exportFromImportedHandleTypes = properties->compatibleHandleTypes = 0;
  properties->externalFenceFeatures = 0;
}
void GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice,
                                                  const VkPhysicalDeviceExternalSemaphoreInfo*,
                                                  VkExternalSemaphoreProperties* properties) {
  properties->exportFromImportedHandleTypes = properties->compatibleHandleTypes = 0;
  properties->externalSemaphoreFeatures = 0;
}

VkResult GetPhysicalDeviceToolProperties(VkPhysicalDevice, uint32_t* count, VkPhysicalDeviceToolProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult EnumerateDeviceExtensionProperties(VkPhysicalDevice, const char* layer, uint32_t* count,
                                            VkExtensionProperties* properties) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(device_extensions(), count, properties);
}

VkResult EnumerateDeviceLayerProperties(VkPhysicalDevice, uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
