#pragma once

#include <array>
#include <vector>

#include "emulator/vertex_stage.h"
#include "func/geometry/tessellator.h"

namespace cutaway::emulator {

// Runs control program, tessellator and evaluation program: turns patches into the primitives that they are
// divided into, in order. A group of the control program holds whole patches; a group of the evaluation
// program holds points of any patches.
class TessellationStage {
 public:
  TessellationStage(arch::Memory& memory, Meter& meter, Statistics& statistics);

  // The state must be that of a legal draw with tessellation stages, and stay until end(). Primitives go to
  // `to_program`, or if that is empty to the sink.
  void begin(const State& state, QueryCounters& counters, const VertexStage::Sink& sink,
             const VertexStage::PrimitiveSink& to_program);
  void add(const func::InputPrimitive& patch, const ShadedVertex* const vertex[]);
  void end() { flush(); }

 private:
  struct Patch {
    uint32_t id = 0;
    std::vector<uint32_t> vertices;  // as LDV reads them
    std::vector<uint32_t> memory;
  };

  void flush();
  void run_control();
  void divide(Patch& patch);
  void evaluate(Patch& patch);
  void give(const Patch& patch);

  Meter& meter_;
  ShaderCore control_, evaluation_;
  std::array<Patch, kLanes> patch_;  // patches that wait for their control programs
  uint32_t patches_ = 0, most_patches_ = 1;
  func::TessellationShape shape_;
  func::Tessellation tessellation_;
  std::vector<ShadedVertex> point_;  // of the domain
  uint64_t outputs_ = 0;             // outputs of the evaluation program
  uint32_t strip_ = 0;

  // State of the current draw.
  const State* state_ = nullptr;
  QueryCounters* counters_ = nullptr;
  const VertexStage::Sink* sink_ = nullptr;
  const VertexStage::PrimitiveSink* to_program_ = nullptr;
};

}  // namespace cutaway::emulator
