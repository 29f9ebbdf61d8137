#pragma once

#include <memory>

#include "boxes/fragment_generation/fragment_generation.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

// A fragment generation between triangle setup and hierarchical Z.
namespace cutaway::boxes::fragment_generation_bench {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::SetupMessage;
using messages::TileMessage;

inline SetupMessage message(const messages::PrimitiveRef& primitive) {
  return {.primitive = primitive, .state = primitive->state, .origin = primitive->origin};
}

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(128, 128);
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  FragmentGeneration& box;
  Source<SetupMessage>& setup = sim.add<Source<SetupMessage>>(clock, "setup");
  Sink<TileMessage>& hz = sim.add<Sink<TileMessage>>(clock, "hz");

  explicit Bench(const FragmentGenerationSpec& spec = {}, unsigned unit = 0)
      : box(sim.add<FragmentGeneration>(clock, "fragments", spec, unit)) {
    hz.per_cycle = spec.tiles_per_cycle;
    sim.connect(setup.out, box.primitives_in[0], {1, 1, 26});
    sim.connect(box.tiles_out, hz.in, {1, spec.tiles_per_cycle, 6});
    sim.elaborate();
  }
};

}  // namespace cutaway::boxes::fragment_generation_bench
