#include "icd/pipeline/pipeline.h"

#include "icd/debug/label.h"
#include "icd/device/offer.h"
#include "icd/pipeline/pipeline_layout.h"
#include "icd/pipeline/shader_module.h"

namespace cutaway::icd {

StageRequest stage_request(const VkPipelineShaderStageCreateInfo& info, arch::Stage stage,
                           VkPipelineLayout layout) {
  StageRequest request;
  request.name = stage_name(info);
  request.stage = stage;
  request.spirv = stage_words(info);
  request.entry = info.pName;
  request.limits = offer().programs;
  request.loads = offer().loads;
  if (layout && compiler::has_unsized_descriptors(request.spirv))
    request.descriptors = object(layout)->descriptor_counts();
  if (const VkSpecializationInfo* from = info.pSpecializationInfo)
    for (uint32_t i = 0; i < from->mapEntryCount; i++) {
      const VkSpecializationMapEntry& entry = from->pMapEntries[i];
      const auto* data = static_cast<const std::byte*>(from->pData) + entry.offset;
      request.specializations.push_back({entry.constantID, {data, data + entry.size}});
    }
  return request;
}

std::string stage_name(const VkPipelineShaderStageCreateInfo& info) {
  if (const auto* named = find_struct<VkDebugUtilsObjectNameInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT))
    return bounded_text(named->pObjectName);
  return info.module ? object(info.module)->name() : "";
}

std::span<const uint32_t> stage_words(const VkPipelineShaderStageCreateInfo& info) {
  if (info.module) return object(info.module)->words();
  const auto* module =
      find_struct<VkShaderModuleCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (!module) invalid_usage("a stage without a shader module");
  return {module->pCode, module->codeSize / sizeof(uint32_t)};
}

void DestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) { destroy(pipeline); }

void tell_feedback(const void* chain, std::chrono::nanoseconds duration) {
  const auto* wanted = find_struct<VkPipelineCreationFeedbackCreateInfo>(
      chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (!wanted) return;
  *wanted->pPipelineCreationFeedback = {VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
                                        static_cast<uint64_t>(duration.count())};
  for (uint32_t i = 0; i < wanted->pipelineStageCreationFeedbackCount; i++)
    wanted->pPipelineStageCreationFeedbacks[i] = {};
}

}  // namespace cutaway::icd
