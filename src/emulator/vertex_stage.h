#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include "emulator/shader_core.h"
#include "emulator/worker_team.h"
#include "func/geometry/assembly.h"
#include "func/geometry/input_assembly.h"

namespace cutaway::emulator {

// Index fetch, vertex fetch, vertex program, primitive assembly: from a draw to primitives in order. A
// batch's groups of vertices are shaded by as many workers as the team has, each into slots of its own.
class VertexStage {
 public:
  // Of primitives to rasterise, and of those that programs work on.
  using Sink = std::function<void(const func::AssembledPrimitive&, const ShadedVertex* const vertex[3])>;
  using PrimitiveSink = std::function<void(const func::InputPrimitive&, const ShadedVertex* const vertex[])>;

  VertexStage(arch::Memory& memory, Meter& meter, Statistics& statistics, WorkerTeam& team);
  // to_program: where primitives go instead, if it is not empty.
  void run(const State& state, const Draw& draw, QueryCounters& counters, const Sink& sink,
           const PrimitiveSink& to_program);

 private:
  static constexpr uint32_t kSlots = 256;      // shaded vertices of a batch
  static constexpr uint32_t kSequence = 1024;  // vertices, restarts and instances of a batch
  static constexpr uint32_t kReuse = 1024;     // entries of the table that finds a vertex of the batch
  static constexpr uint32_t kNone = ~0u;       // of groups
  static constexpr uint32_t kRestart = ~0u, kInstance = ~1u;  // in the sequence

  struct Vertex {
    uint32_t index, instance;
  };

  // Shades groups of a batch; counts them from nothing.
  struct Worker {
    explicit Worker(arch::Memory& memory) : core(memory, meter, statistics) {}

    Meter meter{0};
    Statistics statistics;
    ShaderCore core;
    uint64_t steps = 0;
    uint32_t stopped_at = kNone;  // the group that stopped the GPU
    std::string stop_text;
  };

  void add(uint32_t index, uint32_t instance);
  void flush();
  void shade_batch();
  void shade_groups(Worker& worker, uint64_t steps_left);
  void shade(Worker& worker, uint32_t first, uint32_t lanes);
  void fetch_attribute(Worker& worker, uint32_t attribute, uint32_t first, uint32_t lanes);
  template <class Assembler>
  void remember(Assembler& assembler);
  void assemble();
  void assemble_whole();
  void give(const std::optional<func::InputPrimitive>& primitive);
  void count_primitive();

  arch::Memory& memory_;
  Meter& meter_;
  Statistics& statistics_;
  WorkerTeam& team_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<uint32_t> next_ = 0;        // group of the batch
  std::vector<ShadedVertex> shaded_;      // by slot; behind them those remembered from the batch before
  std::vector<ShadedVertex> remembered_;  // on their way
  std::vector<Vertex> vertex_;            // by slot
  std::vector<uint32_t> sequence_;        // slots
  struct Reuse {
    uint64_t batch = 0;
    uint32_t index = 0, instance = 0, slot = 0;
  };
  std::vector<Reuse> reuse_;
  uint64_t batch_ = 0, outputs_ = 0;
  func::PrimitiveAssembler assembler_;
  func::InputAssembler input_assembler_;  // with adjacency, and for programs
  bool whole_ = false;                    // it is that one

  // Of the draw under way.
  const State* state_ = nullptr;
  const Draw* draw_ = nullptr;
  QueryCounters* counters_ = nullptr;
  const Sink* sink_ = nullptr;
  const PrimitiveSink* to_program_ = nullptr;
};

}  // namespace cutaway::emulator
