#pragma once

#include <string>
#include <vector>

#include "icd/vulkan.h"

namespace cutaway::icd {

// A copy of a stage of a pipeline, in Vulkan's structures, with its SPIR-V and its constants. The module may
// be destroyed. It points into itself.
class KeptStage {
 public:
  explicit KeptStage(const VkPipelineShaderStageCreateInfo& from);
  KeptStage(const KeptStage&) = delete;
  KeptStage& operator=(const KeptStage&) = delete;

  const VkPipelineShaderStageCreateInfo& info() const { return info_; }

 private:
  void keep_constants(const VkSpecializationInfo& from);

  std::vector<uint32_t> words_;
  std::string entry_;
  std::vector<VkSpecializationMapEntry> entries_;
  std::vector<std::byte> data_;
  VkSpecializationInfo constants_{};
  VkShaderModuleCreateInfo module_{};
  std::string name_;  // the application's
  VkDebugUtilsObjectNameInfoEXT named_{};
  VkPipelineShaderStageCreateInfo info_{};
};

}  // namespace cutaway::icd
