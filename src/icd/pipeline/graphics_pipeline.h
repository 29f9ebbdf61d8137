#pragma once

#include <memory>

#include "icd/pipeline/pipeline.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// Registers that are complete except for attachments, vertex buffers and dynamic state, and the programs of
// its stages.
class GraphicsPipeline final : public Pipeline {
 public:
  GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from);

  const arch::Registers& registers() const { return state_.registers; }
  uint32_t dynamic() const { return state_.dynamic; }  // DynamicBits
  const StoredProgram& vertex() const { return *vertex_; }
  const StoredProgram* tess_control() const { return tess_control_.get(); }  // null: there is none
  const StoredProgram* tess_evaluation() const { return tess_evaluation_.get(); }
  const StoredProgram* geometry() const { return geometry_.get(); }
  const StoredProgram* fragment() const { return fragment_.get(); }  // null: no fragment shading

 private:
  void compile(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from);

  PipelineState state_;
  std::shared_ptr<const StoredProgram> vertex_, tess_control_, tess_evaluation_, geometry_, fragment_;
};

}  // namespace cutaway::icd
