#pragma once

#include <memory>
#include <vector>

#include "compiler/compiler.h"
#include "icd/descriptor/descriptor_set_layout.h"

namespace cutaway::icd {

class PipelineLayout {
 public:
  PipelineLayout() = default;  // of no sets
  explicit PipelineLayout(const VkPipelineLayoutCreateInfo& info);

  // Adds the sets that this layout does not have: parts of a pipeline may each have some.
  void add(const PipelineLayout& other);

  const std::shared_ptr<const SetShape>& shape(uint32_t set) const { return shapes_[set]; }
  // The number of descriptors of every binding.
  std::vector<compiler::DescriptorCount> descriptor_counts() const;

 private:
  std::vector<std::shared_ptr<const SetShape>> shapes_;  // null: a set of another part
};

}  // namespace cutaway::icd
