#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icd/object.h"

namespace cutaway::icd {

// Keeps the SPIR-V words. A module is compiled when a pipeline determines the needs of its stages.
class ShaderModule {
 public:
  explicit ShaderModule(const VkShaderModuleCreateInfo& info);
  const std::vector<uint32_t>& words() const { return words_; }
  // The program's name for it; pipelines that are made afterwards pass it on to their programs.
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  std::string name_;
  const std::vector<uint32_t> words_;
};

}  // namespace cutaway::icd
