#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "arch/memory.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "base/interrupt.h"
#include "emulator/statistics.h"
#include "func/shader/micro_program.h"
#include "func/texture/texture_view.h"

namespace cutaway::emulator {

constexpr uint32_t kLanes = 32;  // threads that run together
constexpr uint32_t kGroupQuads = kLanes / 4;

// What stopped a submission; the packet is added where it is caught.
struct Stop {
  std::string text;
};

// Called often enough that an interrupt of the process is noticed within a fraction of a second, in any
// thread. It ends like a fault; the process is about to end too.
inline void stop_if_interrupted() {
  if (interrupted()) [[unlikely]]
    throw Stop{"interrupted"};
}

// A program decoded and prepared.
struct Program {
  arch::Stage stage;
  std::vector<isa::EncodedInstruction> words;
  uint32_t temporaries = 0;
  uint32_t scratch_bytes = 0;
  func::MicroProgram micro;
  std::array<uint8_t, arch::kShaderInputs> inputs{};  // components of each input register that are read
  uint64_t outputs = 0;                               // bit i: output register i is written
  // Registers that must hold zeros at the start: something may be read before it is written.
  std::vector<uint32_t> zeroed_temporaries;
  uint64_t zeroed_outputs = 0;
  std::vector<uint32_t> resources;       // slots that it reads or writes
  std::vector<uint32_t> textures;        // texture instructions, in rising order
  std::vector<uint16_t> texture_number;  // by pc: which of them an instruction is
  bool barriers = false;
  bool writes_memory = false;
  bool uniform = true;  // all lanes of all groups of a draw or dispatch have the same outputs, and all end
};

// All that packets set and draws use. Empty at the start of a submission.
struct StageState {
  std::shared_ptr<const Program> program;
  std::array<std::array<uint32_t, 4>, arch::kConstants> constants{};
  std::array<func::TextureView, arch::kResources> resources{};
  std::array<arch::Sampler, arch::kSamplers> samplers{};
};

struct State {
  arch::Registers registers{};
  std::array<StageState, arch::kStages> stage;
  const StageState& vertex() const { return stage[static_cast<uint32_t>(arch::Stage::kVertex)]; }
  const StageState& compute() const { return stage[static_cast<uint32_t>(arch::Stage::kCompute)]; }
  const StageState& fragment() const { return stage[static_cast<uint32_t>(arch::Stage::kFragment)]; }
};

// What QueryKind's counters say, from the start of the submission.
struct QueryCounters {
  uint64_t samples_passed = 0;
  uint64_t statistics[arch::kStatistics] = {};  // in Vulkan's order of pipeline statistics
  uint64_t primitives[2] = {};                  // of transform feedback: written, needed

  QueryCounters& operator+=(const QueryCounters& more) {
    samples_passed += more.samples_passed;
    for (size_t i = 0; i < std::size(statistics); i++) statistics[i] += more.statistics[i];
    for (size_t i = 0; i < std::size(primitives); i++) primitives[i] += more.primitives[i];
    return *this;
  }
};

// A draw as all kinds of draw packets come down to.
struct Draw {
  bool indexed = false;
  uint32_t count = 0, instances = 0;
  uint32_t first = 0;          // vertex, or position in the index buffer
  uint32_t vertex_offset = 0;  // added to indices, modulo 2^32
  uint32_t first_instance = 0;
  uint32_t number = 0;  // in its indirect packet
};

// Counts the steps of a submission and stops it when there are too many.
class Meter {
 public:
  explicit Meter(uint64_t limit) : limit_(limit) {}
  void step(uint64_t steps) {
    steps_ += steps;
    if (steps_ > limit_) throw Stop{"the submission does not end: too many steps"};
  }
  uint64_t steps() const { return steps_; }
  uint64_t left() const { return limit_ - steps_; }

 private:
  uint64_t steps_ = 0, limit_;
};

}  // namespace cutaway::emulator
