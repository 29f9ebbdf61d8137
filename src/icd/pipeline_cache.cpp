#include "icd/pipeline_cache.h"

#include <cstring>

#include "icd/device.h"

namespace cutaway::icd {

VkResult CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo*, const VkAllocationCallbacks*,
                             VkPipelineCache* cache) {
  return create(cache, *object(device));
}

void DestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) { destroy(cache); }

VkResult GetPipelineCacheData(VkDevice, VkPipelineCache cache, size_t* bytes, void* data) {
  const VkPipelineCacheHeaderVersionOne& header = object(cache)->header();
  if (!data) {
    *bytes = sizeof header;
    return VK_SUCCESS;
  }
  // "If dataSize is less than what is necessary to store this header, nothing will be written".
  if (*bytes < sizeof header) {
    *bytes = 0;
    return VK_INCOMPLETE;
  }
  std::memcpy(data, &header, sizeof header);
  *bytes = sizeof header;
  return VK_SUCCESS;
}

VkResult MergePipelineCaches(VkDevice, VkPipelineCache, uint32_t, const VkPipelineCache*) {
  return VK_SUCCESS;
}

PipelineCache::PipelineCache(Device& device) {
  VkPhysicalDeviceProperties properties{};
  GetPhysicalDeviceProperties(handle(&device.physical_device()), &properties);
  header_.headerSize = sizeof header_;
  header_.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  header_.vendorID = properties.vendorID;
  header_.deviceID = properties.deviceID;
  std::memcpy(header_.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
}

}  // namespace cutaway::icd
