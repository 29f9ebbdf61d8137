#pragma once

#include <array>
#include <functional>
#include <vector>

#include "emulator/shader_core.h"
#include "emulator/worker_team.h"
#include "func/fetch/vertex_fetch.h"
#include "func/geometry/assembly.h"
#include "func/geometry/input_assembly.h"

namespace cutaway::emulator {

// Runs index fetch, vertex fetch, vertex program and primitive assembly: turns a draw into primitives in
// order. All workers of the team shade a batch's vertex groups, each into its own slots.
class VertexStage {
 public:
  // Receivers of primitives to rasterise, and of primitives for tessellation and geometry programs.
  using Sink = std::function<void(const func::AssembledPrimitive&, const ShadedVertex* const vertex[3])>;
  using PrimitiveSink = std::function<void(const func::InputPrimitive&, const ShadedVertex* const vertex[])>;

  VertexStage(arch::Memory& memory, Meter& meter, Statistics& statistics, WorkerTeam& team);
  // to_program: receives the primitives instead of `sink`, if it is not empty.
  void run(const State& state, const Draw& draw, QueryCounters& counters, const Sink& sink,
           const PrimitiveSink& to_program);

 private:
  static constexpr uint32_t kSlots = 256;      // shaded vertices per batch
  static constexpr uint32_t kSequence = 1024;  // vertices, restarts and instances per batch
  static constexpr uint32_t kReuse = 1024;     // entries of the table that finds a vertex in the batch
  static constexpr uint32_t kNone = ~0u;       // no group
  static constexpr uint32_t kRestart = ~0u, kInstance = ~1u;  // in the sequence

  struct Vertex {
    uint32_t index, instance;
  };

  // Shades groups of a batch; has its own counters.
  struct alignas(64) Worker {
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
  void prepare(uint32_t number);
  bool shade_group(uint32_t number, uint32_t group, uint64_t steps_left);
  void shade(Worker& worker, uint32_t first, uint32_t lanes);
  void fetch_attribute(Worker& worker, uint32_t attribute, uint32_t first, uint32_t lanes);
  template <uint32_t kWords>
  void fetch_floats(Worker& worker, uint32_t attribute, uint32_t first, uint32_t lanes);
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
  uint32_t begun_ = 0;                    // workers that have begun the draw
  std::vector<ShadedVertex> shaded_;      // by slot, followed by vertices remembered from the previous batch
  std::vector<ShadedVertex> remembered_;  // vertices being moved to the next batch
  std::vector<Vertex> vertex_;            // by slot
  std::vector<uint32_t> sequence_;        // slots
  struct Reuse {
    uint64_t batch = 0;
    uint32_t index = 0, instance = 0, slot = 0;
  };
  std::vector<Reuse> reuse_;
  uint64_t batch_ = 0, outputs_ = 0;
  func::PrimitiveAssembler assembler_;
  func::InputAssembler input_assembler_;  // for adjacency, and for programs
  bool whole_ = false;                    // uses input_assembler_

  // State of the current draw.
  const State* state_ = nullptr;
  const Draw* draw_ = nullptr;
  QueryCounters* counters_ = nullptr;
  std::array<func::AttributeFetch, arch::kVertexAttributes> fetch_;  // attributes that the program reads
  const Sink* sink_ = nullptr;
  const PrimitiveSink* to_program_ = nullptr;
};

}  // namespace cutaway::emulator
