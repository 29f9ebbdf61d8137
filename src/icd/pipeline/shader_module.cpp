#include "icd/pipeline/shader_module.h"

namespace cutaway::icd {

ShaderModule::ShaderModule(const VkShaderModuleCreateInfo& info)
    : words_(info.pCode, info.pCode + info.codeSize / sizeof(uint32_t)) {}

VkResult CreateShaderModule(VkDevice, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                            VkShaderModule* module) {
  return create(module, *info);
}

void DestroyShaderModule(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) { destroy(module); }

}  // namespace cutaway::icd
