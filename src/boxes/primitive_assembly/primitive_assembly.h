#pragma once

#include <array>
#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "func/geometry/assembly.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct PrimitiveAssemblyCounters {
  uint64_t vertices = 0, primitives = 0, driver_primitives = 0;

  template <class V>
  static void fields(V&& v) {
    using C = PrimitiveAssemblyCounters;
    v("vertices", &C::vertices, "vertices", "vertices taken");
    v("primitives", &C::primitives, "primitives", "triangles, lines and points made",
      CounterRole::kPrimitives);
    v("driver_primitives", &C::driver_primitives, "primitives", "of those: of the driver's own draws",
      CounterRole::kPrimitives, CountOf::kDriver);
  }
};

// One vertex in, at most one primitive out per cycle (ATT-3).
class PrimitiveAssembly final : public engine::Box {
 public:
  explicit PrimitiveAssembly(std::string path) : Box(std::move(path)) {}

  engine::In<parts::VertexMessage> vertices_in;
  engine::Out<parts::PrimitiveMessage> primitives_out;
  engine::Out<parts::DrawAssembled> assembled_out;

  PrimitiveAssemblyCounters counters;

  void list_ports(engine::PortList& list) override {
    list("vertices_in", vertices_in);
    list("primitives_out", primitives_out);
    list("assembled_out", assembled_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  void add(engine::Cycle now, const parts::VertexMessage& message);
  uint32_t free_slot() const;
  void forget();

  func::PrimitiveAssembler assembler_;
  const parts::DrawState* state_ = nullptr;  // of the draw that is being assembled
  uint32_t draw_ = 0;
  parts::DrawAssembled assembled_;  // of it, so far
  // The assembler remembers at most two vertices; a third completes a primitive. What it does not remember
  // is empty, so that the places of vertices come back.
  std::array<parts::VertexRef, 3> held_;
};

}  // namespace cutaway::boxes
