#pragma once

#include <memory>

#include "emulator/state.h"
#include "func/shader/thread_group.h"

namespace cutaway::emulator {

// Runs groups of kLanes threads to their end. The owner fills the inputs and reads the outputs; registers are
// [register][component][lane].
class ShaderCore {
 public:
  ShaderCore(const arch::Memory& memory, Meter& meter, Statistics& statistics);

  uint32_t* input(uint32_t reg, uint32_t component) { return &registers_->input[reg][component][0]; }
  const uint32_t* output(uint32_t reg, uint32_t component) const {
    return &registers_->output[reg][component][0];
  }

  // Temporaries and outputs hold zeros at the start. Returns the lanes that were not discarded. Stop: the
  // program does not end.
  uint64_t run(const StageState& stage, uint64_t lanes, uint64_t helpers);
  // With note_ties: lanes of the last run that read a nearest texel within 1/256 texel of the next one. Which
  // of the two it is hangs on the rounding of a coordinate.
  uint64_t texel_ties() const { return texel_ties_; }
  bool note_ties = false;
  uint64_t executed() const { return group_.executed(); }  // instructions of the last run

 private:
  struct RegisterFile {
    alignas(64) uint32_t input[arch::kShaderInputs][4][kLanes];
    alignas(64) uint32_t temporary[arch::kTemporaries][4][kLanes];
    alignas(64) uint32_t output[arch::kShaderOutputs][4][kLanes];
  };

  void texture(const StageState& stage, const func::Registers& registers);
  void load(const StageState& stage, const func::Registers& registers);

  const arch::Memory& memory_;
  Meter& meter_;
  Statistics& statistics_;
  std::unique_ptr<RegisterFile> registers_;
  func::ThreadGroup group_;
  uint64_t texel_ties_ = 0;
  uint64_t written_ = 0;  // outputs of the last program: the next one's are zero until it writes them
  alignas(64) uint32_t source_[3][4][kLanes] = {}, result_[4][kLanes] = {};
};

}  // namespace cutaway::emulator
