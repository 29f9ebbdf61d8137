#include "icd/pipeline/kept_stage.h"

#include "icd/pipeline/pipeline.h"

namespace cutaway::icd {

KeptStage::KeptStage(const VkPipelineShaderStageCreateInfo& from) : info_(from) {
  const std::span<const uint32_t> words = stage_words(from);
  words_.assign(words.begin(), words.end());
  entry_ = from.pName;
  name_ = stage_name(from);
  named_.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  named_.pObjectName = name_.c_str();
  module_.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_.pNext = &named_;
  module_.codeSize = words.size_bytes();
  module_.pCode = words_.data();
  info_.pNext = &module_;
  info_.module = VK_NULL_HANDLE;
  info_.pName = entry_.c_str();
  if (from.pSpecializationInfo) keep_constants(*from.pSpecializationInfo);
}

void KeptStage::keep_constants(const VkSpecializationInfo& from) {
  constants_ = from;
  entries_.assign(from.pMapEntries, from.pMapEntries + from.mapEntryCount);
  const auto* data = static_cast<const std::byte*>(from.pData);
  data_.assign(data, data + from.dataSize);
  constants_.pMapEntries = entries_.data();
  constants_.pData = data_.data();
  info_.pSpecializationInfo = &constants_;
}

}  // namespace cutaway::icd
