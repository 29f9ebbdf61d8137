#include "icd/debug/label.h"
#include "icd/device/device.h"
#include "icd/pipeline/pipeline.h"
#include "icd/pipeline/shader_module.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

// Names of objects. Those of images and buffers are kept, because they identify what draws write and read;
// and those of shader modules and pipelines, because they identify programs.
namespace cutaway::icd {

namespace {

void name_pipeline(Device& device, VkPipeline pipeline, const std::string& name) {
  object(pipeline)->set_name(name);
  for (const StoredProgram* program : object(pipeline)->programs())
    if (program) device.programs().name(*program, name, NameOrigin::kPipeline);
}

// name: nullptr removes it ("VkDebugUtilsObjectNameInfoEXT").
VkResult set_name(VkDevice device, VkObjectType type, uint64_t handle, const char* name) {
  return guard([&] {
    const std::string text = bounded_text(name);
    if (type == VK_OBJECT_TYPE_IMAGE)
      object(reinterpret_cast<VkImage>(handle))->set_name(*object(device), text);
    if (type == VK_OBJECT_TYPE_BUFFER)
      object(reinterpret_cast<VkBuffer>(handle))->set_name(*object(device), text);
    if (type == VK_OBJECT_TYPE_SHADER_MODULE)
      object(reinterpret_cast<VkShaderModule>(handle))->set_name(text);
    if (type == VK_OBJECT_TYPE_PIPELINE)
      name_pipeline(*object(device), reinterpret_cast<VkPipeline>(handle), text);
  });
}

}  // namespace

VkResult SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  return set_name(device, info->objectType, info->objectHandle, info->pObjectName);
}

VkResult DebugMarkerSetObjectNameEXT(VkDevice device, const VkDebugMarkerObjectNameInfoEXT* info) {
  const auto type = info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_IMAGE_EXT    ? VK_OBJECT_TYPE_IMAGE
                    : info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT ? VK_OBJECT_TYPE_BUFFER
                    : info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_SHADER_MODULE_EXT
                        ? VK_OBJECT_TYPE_SHADER_MODULE
                    : info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT ? VK_OBJECT_TYPE_PIPELINE
                                                                                   : VK_OBJECT_TYPE_UNKNOWN;
  return set_name(device, type, info->object, info->pObjectName);
}

// Tags have no effect.
VkResult SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) { return VK_SUCCESS; }
VkResult DebugMarkerSetObjectTagEXT(VkDevice, const VkDebugMarkerObjectTagInfoEXT*) { return VK_SUCCESS; }

}  // namespace cutaway::icd
