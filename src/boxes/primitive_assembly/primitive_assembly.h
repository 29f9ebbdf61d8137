#pragma once

#include <optional>
#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/geometry/input_assembly.h"
#include "messages/messages.h"
#include "structures/assembly_vertices.h"

namespace cutaway::boxes {

struct PrimitiveAssemblyCounters {
  uint64_t vertices = 0, primitives = 0, driver_primitives = 0;

  template <class V>
  static void fields(V&& v) {
    using C = PrimitiveAssemblyCounters;
    v("vertices", &C::vertices, "vertices", "vertices taken");
    v("primitives", &C::primitives, "primitives", "triangles, lines and points made",
      CounterRole::kPrimitives);
    v("driver_primitives", &C::driver_primitives, "primitives", "primitives made for the driver's own draws",
      CounterRole::kPrimitives, CountOf::kDriver);
  }
};

// Takes one vertex and sends at most one primitive per cycle (ATT-3), or several of each. Primitives for a
// program leave with all their vertices; others of adjacency topologies leave without the adjacent vertices.
class PrimitiveAssembly final : public engine::Box {
 public:
  PrimitiveAssembly(std::string path, messages::Pools& pools, unsigned vertices_per_cycle = 1)
      : Box(std::move(path)), pools_(pools), per_cycle_(vertices_per_cycle) {}

  engine::In<messages::VertexMessage> vertices_in;
  engine::Out<messages::PrimitiveMessage> primitives_out;
  engine::Out<messages::DrawAssembled> assembled_out;

  PrimitiveAssemblyCounters counters;

  void list_ports(engine::PortList& list) override {
    list("vertices_in", vertices_in, "vertices, restarts, ends of instances and batches, in order");
    list("primitives_out", primitives_out, "primitives");
    list("assembled_out", assembled_out, "the end of a batch or a draw, assembled");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  bool step(engine::Cycle now);
  void begin_draw(const messages::VertexMessage& message);
  bool take(engine::Cycle now, const messages::VertexMessage& message);
  void add(engine::Cycle now, const messages::VertexMessage& message);
  messages::PrimitiveMessage begin(uint32_t id);
  void send(engine::Cycle now, const func::AssembledPrimitive& primitive);
  bool send(engine::Cycle now, const std::optional<func::InputPrimitive>& primitive);
  void end(engine::Cycle now, const messages::VertexMessage& message);
  void forget();

  messages::Pools& pools_;
  unsigned per_cycle_;
  // State of the draw being assembled.
  const messages::DrawState* state_ = nullptr;
  messages::Origin origin_;
  bool whole_ = false;     // uses input_assembler_
  bool programs_ = false;  // primitives go to a program
  func::PrimitiveAssembler assembler_;
  func::InputAssembler input_assembler_;
  messages::DrawAssembled assembled_;  // so far
  structures::AssemblyVertices<func::InputAssembler::kMostRemembered + 1> vertices_;
};

}  // namespace cutaway::boxes
