#pragma once

#include <array>
#include <functional>
#include <vector>

#include "emulator/shader_core.h"
#include "func/geometry/emitted_strips.h"
#include "func/geometry/input_assembly.h"

namespace cutaway::emulator {

// Runs geometry programs: turns primitives into the primitives that they emit, in order. The lanes of a group
// are invocations of consecutive primitives, all of one primitive before those of the next.
class GeometryStage final : Emission {
 public:
  using Sink = std::function<void(const func::AssembledPrimitive&, const ShadedVertex* const vertex[3],
                                  uint32_t stream)>;

  GeometryStage(arch::Memory& memory, Meter& meter, Statistics& statistics);

  // The state must be that of a legal draw with a geometry stage, and stay until end().
  void begin(const State& state, QueryCounters& counters, const Sink& sink);
  void add(const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]);
  void end() { flush(); }

 private:
  static constexpr uint32_t kKept =
      4;  // stored vertices of a strip: those that the assembler remembers, and one more

  struct Lane {
    uint32_t primitive = 0;  // index in the group
    uint32_t invocation = 0;
    func::EmittedStrips emitted;  // with the outputs that the program writes
  };

  void emit(uint32_t lane, uint32_t stream) override;
  void cut(uint32_t lane, uint32_t stream) override;
  uint32_t hold(const func::InputPrimitive& primitive, const ShadedVertex* const vertex[]);
  void flush();
  void assemble(const Lane& lane);
  void assemble_vertex(uint32_t stream, uint32_t id, const uint32_t* words);

  Meter& meter_;
  ShaderCore core_;
  uint32_t invocations_ = 1, input_vertices_ = 0;
  std::vector<uint32_t> outputs_;  // outputs that the program writes

  std::array<Lane, kLanes> lane_;
  uint32_t lanes_ = 0;
  uint32_t primitives_ = 0;                         // primitives in the group
  std::array<uint32_t, kLanes> primitive_id_{};     // by primitive of the group
  std::array<std::vector<uint32_t>, kLanes> held_;  // vertices of each, as LDV reads them

  struct Stream {
    func::PrimitiveAssembler assembler;
    std::array<ShadedVertex, kKept> vertex;
    uint32_t next = 0;  // next entry of vertex[]
  };
  std::vector<Stream> streams_;

  // State of the current draw.
  const State* state_ = nullptr;
  QueryCounters* counters_ = nullptr;
  const Sink* sink_ = nullptr;
};

}  // namespace cutaway::emulator
