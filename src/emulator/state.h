#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arch/memory.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "base/interrupt.h"
#include "command_stream/by_stage.h"
#include "command_stream/draw.h"
#include "command_stream/primitive_geometry.h"
#include "command_stream/query_counters.h"
#include "command_stream/stage_state.h"
#include "emulator/statistics.h"

namespace cutaway::emulator {

constexpr uint32_t kLanes = 32;  // threads that run together
constexpr uint32_t kGroupQuads = kLanes / 4;

// The reason that a submission stopped; the handler adds the packet.
struct Stop {
  std::string text;
};

// Polled often enough, in any thread, that an interrupt of the process is noticed within a fraction of a
// second. It stops the submission like a fault, because the process is about to end.
inline void stop_if_interrupted() {
  if (interrupted()) [[unlikely]]
    throw Stop{"interrupted"};
}

using command_stream::Draw;
using command_stream::Program;
using command_stream::QueryCounters;
using command_stream::ShadedVertex;
using command_stream::StageState;
using command_stream::Statistic;

// All state that packets set and draws use. Empty at the start of a submission.
struct State {
  arch::Registers registers{};
  command_stream::ByStage<StageState> stage;
  const StageState& vertex() const { return stage[arch::Stage::kVertex]; }
  const StageState& compute() const { return stage[arch::Stage::kCompute]; }
  const StageState& tess_control() const { return stage[arch::Stage::kTessControl]; }
  const StageState& tess_evaluation() const { return stage[arch::Stage::kTessEvaluation]; }
  const StageState& geometry() const { return stage[arch::Stage::kGeometry]; }
  const StageState& fragment() const { return stage[arch::Stage::kFragment]; }
};

// Counts the steps of a submission and stops it at the limit.
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
