#pragma once

#include <memory>
#include <vector>

#include "icd/descriptor/descriptor_set_layout.h"

namespace cutaway::icd {

class PipelineLayout {
 public:
  explicit PipelineLayout(const VkPipelineLayoutCreateInfo& info);

  uint32_t sets() const { return static_cast<uint32_t>(shapes_.size()); }
  const std::shared_ptr<const SetShape>& shape(uint32_t set) const { return shapes_[set]; }

 private:
  std::vector<std::shared_ptr<const SetShape>> shapes_;
};

}  // namespace cutaway::icd
