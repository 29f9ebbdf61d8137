#pragma once

#include <memory>

#include "icd/pipeline/pipeline.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// Registers that are ready but for attachments, vertex buffers and dynamic state, and the programs of the
// stages.
class GraphicsPipeline final : public Pipeline {
 public:
  GraphicsPipeline(Device& device, const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass,
                   ProgramSource from);

  const arch::Registers& registers() const { return state_.registers; }
  // True if its fragments may read the depth-stencil attachment that they are tested against.
  bool loops_depth() const { return loops_depth_; }
  uint32_t dynamic() const { return state_.dynamic; }  // DynamicBits
  const StoredProgram& vertex() const { return *vertex_; }
  const StoredProgram* tess_control() const { return tess_control_.get(); }  // null: there is none
  const StoredProgram* tess_evaluation() const { return tess_evaluation_.get(); }
  const StoredProgram* geometry() const { return geometry_.get(); }
  const StoredProgram* fragment() const { return fragment_.get(); }  // null: no fragment shading
  std::vector<const StoredProgram*> programs() const override {
    return {vertex_.get(), tess_control_.get(), tess_evaluation_.get(), geometry_.get(), fragment_.get()};
  }

 private:
  // Null: the pipeline has no such stage.
  struct Stages {
    const VkPipelineShaderStageCreateInfo* vertex = nullptr;
    const VkPipelineShaderStageCreateInfo* control = nullptr;
    const VkPipelineShaderStageCreateInfo* evaluation = nullptr;
    const VkPipelineShaderStageCreateInfo* geometry = nullptr;
    const VkPipelineShaderStageCreateInfo* fragment = nullptr;
  };
  // Outputs of the stage before that the stages compiled so far read, from the last stage on.
  struct Reads {
    uint64_t locations = 0;
    bool point_size = false;
  };
  struct Compiler {
    ProgramStore& programs;
    VkPipelineLayout layout;
    ProgramSource from;

    StageRequest request(const VkPipelineShaderStageCreateInfo& stage, arch::Stage kind) const {
      return stage_request(stage, kind, layout);
    }
    std::shared_ptr<const StoredProgram> get(const StageRequest& request) const {
      return programs.get(request, {from.cache, from.may_compile, request.name});
    }
  };

  static Stages stages_of(const VkGraphicsPipelineCreateInfo& info);
  static Reads reads_of(const StoredProgram& stored);
  void compile(Device& device, const VkGraphicsPipelineCreateInfo& info, ProgramSource from);
  void compile_fragment(const Compiler& compiler, const VkPipelineShaderStageCreateInfo& fragment,
                        Reads& reads);
  void compile_geometry(const Compiler& compiler, const VkPipelineShaderStageCreateInfo& geometry,
                        Reads& reads);
  void compile_tessellation(const Compiler& compiler, const VkPipelineShaderStageCreateInfo& control,
                            const VkPipelineShaderStageCreateInfo& evaluation, Reads& reads);
  void link();

  PipelineState state_;
  bool loops_depth_ = false;
  std::shared_ptr<const StoredProgram> vertex_, tess_control_, tess_evaluation_, geometry_, fragment_;
};

}  // namespace cutaway::icd
