#pragma once

#include <cstdint>
#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

// Keeps the SPIR-V words. A module is compiled when a pipeline determines the needs of its stages.
class ShaderModule {
 public:
  explicit ShaderModule(const VkShaderModuleCreateInfo& info);
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  const std::vector<uint32_t> words_;
};

}  // namespace cutaway::icd
