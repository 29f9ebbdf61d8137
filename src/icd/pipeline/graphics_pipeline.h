#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "icd/pipeline/kept_stage.h"
#include "icd/pipeline/pipeline_layout.h"
#include "icd/pipeline/pipeline_programs.h"

namespace cutaway::icd {

// Registers that are ready but for attachments, vertex buffers and dynamic state, and the programs of the
// stages. Callable from any thread.
class GraphicsPipeline final : public Pipeline {
 public:
  GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass,
                   ProgramSource from);

  const PipelineState& state() const { return state_; }
  // True if its fragments may read the depth-stencil attachment that they are tested against.
  bool loops_depth() const { return loops_depth_; }
  uint64_t dynamic() const { return state_.dynamic; }  // DynamicBits
  // The programs for draws with this state and topology, which count as far as they are dynamic. Compiles
  // those that it does not have yet: errors as in make_programs. Valid as long as the pipeline.
  const PipelinePrograms& programs_for(const ExtendedState& joined, VkPrimitiveTopology topology) const;

  std::vector<const StoredProgram*> programs() const override;
  void set_name(std::string_view name) override;

 private:
  struct Stages {
    std::deque<KeptStage> stages;
    std::vector<VkPipelineShaderStageCreateInfo> infos;
    PipelineLayout layout;
  };
  void keep_stages(const VkGraphicsPipelineCreateInfo& info);

  Device& device_;
  PipelineState state_;
  bool loops_depth_ = false;
  // Stages to compile for further shapes; nullopt: all draws have the same.
  std::optional<PipelineStages> stages_;
  Stages kept_;
  mutable std::mutex mutex_;
  std::string name_;                                                   // the application's
  mutable std::vector<std::unique_ptr<const PipelinePrograms>> made_;  // never empty
};

}  // namespace cutaway::icd
