#pragma once

#include <array>
#include <memory>

#include "arch/registers.h"
#include "command_stream/by_stage.h"
#include "command_stream/program.h"
#include "func/texture/texture_view.h"

namespace cutaway::command_stream {

// State that packets have loaded for one shader stage, besides its registers. Empty at the start of a
// submission.
struct StageState {
  std::array<std::array<uint32_t, 4>, arch::kConstants> constants{};
  std::array<func::TextureView, arch::kResources> resources{};
  std::array<arch::Sampler, arch::kSamplers> samplers{};
  std::shared_ptr<const Program> program;  // nullptr: the stage is off

  uint64_t inputs_read() const { return program ? program->inputs_read : 0; }  // bit i: of input register i
};

// The program of each stage; nullptr: none is loaded.
using LoadedPrograms = ByStage<const Program*>;
template <class Stage>  // a StageState, or what extends it
LoadedPrograms loaded_programs(const ByStage<Stage>& stages) {
  LoadedPrograms programs;
  for (uint32_t i = 0; i < arch::kStages; i++)
    programs[static_cast<arch::Stage>(i)] = stages[static_cast<arch::Stage>(i)].program.get();
  return programs;
}

}  // namespace cutaway::command_stream
