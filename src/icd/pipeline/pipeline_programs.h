#pragma once

#include <array>
#include <memory>

#include "icd/pipeline/pipeline.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/pipeline/program_store.h"

namespace cutaway::icd {

// The part of a graphics pipeline's state that its programs depend on. A pipeline that leaves some of it
// dynamic has programs for each shape that it draws with.
struct ProgramShape {
  uint64_t live_colors = 0;  // bit i: location i of the fragment program's outputs has an effect
  uint32_t samples = 1;      // per pixel
  bool shades_samples = false;
  bool points = false;  // points may be drawn: of topology or of polygon mode
  bool operator==(const ProgramShape&) const = default;
};
// The stages of a graphics pipeline; null: it has no such stage.
struct PipelineStages {
  const VkPipelineShaderStageCreateInfo* vertex = nullptr;
  const VkPipelineShaderStageCreateInfo* control = nullptr;
  const VkPipelineShaderStageCreateInfo* evaluation = nullptr;
  const VkPipelineShaderStageCreateInfo* geometry = nullptr;
  const VkPipelineShaderStageCreateInfo* fragment = nullptr;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  bool relaxed = false;  // 16 bits suffice for floats of the fragment program

  // ApiError: a stage that the device does not offer.
  explicit PipelineStages(const VkGraphicsPipelineCreateInfo& info);

  ProgramShape shape_for(const ExtendedState& state, VkPrimitiveTopology topology) const;
};

// Programs for one shape; null: no such stage, or it would have no effect.
struct PipelinePrograms {
  ProgramShape shape;
  std::shared_ptr<const StoredProgram> vertex, tess_control, tess_evaluation, geometry, fragment;
  arch::Registers registers{};  // the pipeline's, with the programs and what they agree on

  std::array<const StoredProgram*, 5> all() const {
    return {vertex.get(), tess_control.get(), tess_evaluation.get(), geometry.get(), fragment.get()};
  }
};

// Compiles programs for a shape, or takes those of an earlier equal request. Errors: ProgramStore::get;
// ApiError: the stages do not fit together.
PipelinePrograms make_programs(Device& device, const PipelineStages& stages, const PipelineState& state,
                               const ProgramShape& shape, const ProgramSource& from);

}  // namespace cutaway::icd
