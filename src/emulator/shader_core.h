#pragma once

#include <memory>
#include <span>

#include "base/error.h"
#include "emulator/group_sampler.h"
#include "emulator/state.h"
#include "func/float_mode.h"
#include "func/shader/thread_group.h"
#include "func/texture/sample.h"

namespace cutaway::emulator {

// The vertices of each lane's primitive, as LDV reads them: `count` vertices with equally many registers
// each, one after the other.
struct LaneVertices {
  const uint32_t* words[kLanes] = {};
  uint32_t count = 0, registers = 0;
};

// Receives the vertices that a geometry program emits.
class Emission {
 public:
  // A lane emits a vertex (the output registers), or ends a strip.
  virtual void emit(uint32_t lane, uint32_t stream) = 0;
  virtual void cut(uint32_t lane, uint32_t stream) = 0;

 protected:
  ~Emission() = default;
};

// Evaluates the interpolants that a fragment program pulls.
class Interpolants {
 public:
  // Evaluates components `mask` of an interpolant for the quad from lane 4 * quad on. offset: from the
  // centres of its pixels, [x, y][lane].
  virtual void pull(uint32_t quad, uint32_t interpolant, uint8_t mask, const uint32_t (&offset)[2][4],
                    uint32_t (&out)[4][4]) = 0;

 protected:
  ~Interpolants() = default;
};

// Runs groups of kLanes threads to their end. The owner fills the inputs and reads the outputs; registers are
// stored as [register][component][lane].
class ShaderCore {
 public:
  ShaderCore(arch::Memory& memory, Meter& meter, Statistics& statistics);

  uint32_t* input(uint32_t reg, uint32_t component) { return &registers_->input[reg][component][0]; }
  const uint32_t* output(uint32_t reg, uint32_t component) const {
    return &registers_->output[reg][component][0];
  }

  // Call before the runs of a draw or dispatch; the stage's state must stay until the last of them.
  // copies: as GroupSampler::begin().
  void begin(const StageState& stage, TextureCopies* copies = nullptr) {
    CUTAWAY_CHECK(func::FloatMode::active(), "shaders run in FloatMode");
    sampler_.begin(stage, view_, copies);
  }

  // Runs a group. Temporaries and outputs start as zeros. Returns the lanes that were not discarded. Throws
  // Stop if the program does not end.
  uint64_t run(const StageState& stage, uint64_t lanes, uint64_t helpers);
  // The same in parts: resume() runs to the end (true) or to the next barrier.
  void start(const StageState& stage, uint64_t lanes, uint64_t helpers,
             uint64_t instruction_limit = func::kInstructionLimit);
  bool resume(const StageState& stage);
  std::span<uint32_t> shared;  // memory of the workgroup
  // Tessellation: the memory of each lane's patch, if it has any, instead of `shared`.
  uint32_t* patch[kLanes] = {};
  uint32_t patch_words = 0;
  LaneVertices vertices;                 // geometry
  Emission* emission = nullptr;          // geometry
  Interpolants* interpolants = nullptr;  // fragment
  // With note_reads: lanes of the last run whose nearest texel depends on the rounding of a coordinate by
  // 1/256 texel, or of a vertex by 1/256 pixel; and lanes with an anisotropic sampler.
  uint64_t texel_ties() const { return texel_ties_; }
  uint64_t anisotropic() const { return anisotropic_; }
  bool note_reads = false;
  uint64_t executed() const { return group_.executed(); }  // instructions of the last run

 private:
  struct RegisterFile {
    alignas(64) uint32_t input[arch::kShaderInputs][4][kLanes];
    alignas(64) uint32_t temporary[arch::kTemporaries][4][kLanes];
    alignas(64) uint32_t output[arch::kShaderOutputs][4][kLanes];
  };

  // Lanes that a result is written to: if nothing depends on inactive lanes, all.
  uint64_t written() const { return group_.all_on() ? ~uint64_t{0} : group_.active(); }
  void texture(const StageState& stage, const func::Registers& registers);
  void count_samples(uint32_t lanes);
  void note(const func::TextureView& view, const arch::Sampler& sampler, const func::TexturePlan& plan,
            uint32_t lane);
  // shader_memory.cpp
  const uint32_t* source_x(const func::MicroOp& op, uint32_t n, const func::Registers& registers);
  void load(const StageState& stage, const func::Registers& registers);
  void load_shared(const isa::Instruction& instruction, const func::MicroOp& op,
                   const func::Registers& registers);
  void memory_access(const StageState& stage, const func::Registers& registers);
  void pull_interpolant(const StageState& stage, const func::Registers& registers);
  void access_shared(const isa::Instruction& instruction, uint32_t lane, bool stores);
  void access_vertex(const isa::Instruction& instruction, uint32_t lane);
  void access_buffer(const StageState& stage, const isa::Instruction& instruction, uint32_t lane,
                     bool stores);
  void access_image(const StageState& stage, const isa::Instruction& instruction, uint32_t lane, bool stores);
  void atomic_at(const isa::Instruction& instruction, uint32_t lane, bool stores, bool there,
                 arch::Address address);

  arch::Memory& memory_;
  Meter& meter_;
  Statistics& statistics_;
  std::unique_ptr<RegisterFile> registers_;
  GroupSampler sampler_;
  std::vector<uint32_t> scratch_;  // sized for the largest request so far
  func::ThreadGroup group_;
  const func::CompiledProgram* compiled_ = nullptr;  // of the group's program
  uint64_t limit_ = 0;                               // instruction limit of the run
  func::Registers view_;                             // view of registers_, constants and scratch memory
  uint64_t texel_ties_ = 0, anisotropic_ = 0;
  uint64_t written_ = 0;  // outputs written by the last program: zeroed before the next one
  alignas(64) uint32_t source_[3][4][kLanes] = {}, result_[4][kLanes] = {};
};

}  // namespace cutaway::emulator
