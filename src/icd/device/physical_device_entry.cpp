// The queries that work on a physical device, in Vulkan 1.0's form and in the extensible "2" form.
#include <array>

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
  enumerate(std::array{PhysicalDevice::queue_family()}, count, properties);
}
void GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice, uint32_t* count,
                                             VkQueueFamilyProperties2* properties) {
  if (properties && *count > 0) properties->queueFamilyProperties = PhysicalDevice::queue_family();
  *count = properties && *count == 0 ? 0 : 1;
}

void GetPhysicalDeviceFormatProperties(VkPhysicalDevice, VkFormat format, VkFormatProperties* properties) {
  *properties = format_support(format);
}
void GetPhysicalDeviceFormatProperties2(VkPhysicalDevice, VkFormat format, VkFormatProperties2* properties) {
  properties->formatProperties = format_support(format);
  if (auto* wide = find_struct<VkFormatProperties3>(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3))
    format_support(format, *wide);
}

VkResult GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice,
                                                 const VkPhysicalDeviceImageFormatInfo2* info,
                                                 VkImageFormatProperties2* properties) {
  // "External Memory Handle Types": there are none.
  if (const auto* external = find_struct<VkPhysicalDeviceExternalImageFormatInfo>(
          info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO))
    if (external->handleType) return VK_ERROR_FORMAT_NOT_SUPPORTED;
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

// No sparse resources.
void GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat, VkImageType,
                                                  VkSampleCountFlagBits, VkImageUsageFlags, VkImageTiling,
                                                  uint32_t* count, VkSparseImageFormatProperties*) {
  *count = 0;
}
void GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice,
                                                   const VkPhysicalDeviceSparseImageFormatInfo2*,
                                                   uint32_t* count, VkSparseImageFormatProperties2*) {
  *count = 0;
}

// No external handles.
void GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice,
                                               const VkPhysicalDeviceExternalBufferInfo* info,
                                               VkExternalBufferProperties* properties) {
  properties->externalMemoryProperties = {0, 0,
                                          static_cast<VkExternalMemoryHandleTypeFlags>(info->handleType)};
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
