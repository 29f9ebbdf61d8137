#pragma once

#include <memory>

#include "icd/pipeline/pipeline_state.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// A graphics pipeline: registers that are ready but for attachments, vertex buffers and dynamic state, and
// its programs. Or a compute pipeline, which has a compute program and nothing else.
class Pipeline {
 public:
  Pipeline(Device& device, const VkGraphicsPipelineCreateInfo& info, PipelineCache* cache);
  Pipeline(Device& device, const VkComputePipelineCreateInfo& info, PipelineCache* cache);

  const arch::Registers& registers() const { return state_.registers; }
  uint32_t dynamic() const { return state_.dynamic; }  // DynamicBits
  const StoredProgram& vertex() const { return *vertex_; }
  const StoredProgram* fragment() const { return fragment_.get(); }  // null: nothing is shaded
  const StoredProgram& compute() const { return *compute_; }

 private:
  void compile(Device& device, const VkGraphicsPipelineCreateInfo& info, PipelineCache* cache);

  PipelineState state_;
  std::shared_ptr<const StoredProgram> vertex_, fragment_, compute_;
};

}  // namespace cutaway::icd
