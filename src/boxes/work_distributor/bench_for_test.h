#pragma once

#include <string>
#include <utility>
#include <vector>

#include "boxes/work_distributor/work_distributor.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

// A work distributor between a streamer, an interpolator, a reorder buffer and shader units.
namespace cutaway::boxes::work_distributor_bench {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;
using messages::InterpolatedQuad;
using messages::ReorderEntry;
using messages::VertexGroup;

inline const messages::DrawState kState, kOther;

inline InterpolatedQuad quad(uint32_t primitive, const messages::DrawState& state = kState) {
  InterpolatedQuad q;
  q.quad.state = &state;
  q.quad.origin = {.draw = 1, .primitive = primitive};
  q.quad.mask = 15;
  return q;
}
inline InterpolatedQuad end() {
  InterpolatedQuad q;
  q.quad = messages::testing::draw_end<messages::QuadMessage>(kState);
  return q;
}

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor;
  Source<VertexGroup>& streamer;
  Source<InterpolatedQuad>& interpolator;
  Sink<ReorderEntry>& buffer;
  std::vector<Sink<VertexGroup>*> vertices;
  std::vector<Sink<FragmentGroup>*> fragments;

  Bench(unsigned shaders, unsigned lanes, std::vector<InterpolatedQuad> quads, unsigned vertex_groups = 0,
        const WorkDistributorSpec& spec = {.fragments = "turns"})
      : distributor(
            sim.add<WorkDistributor>(clock, "distributor", spec, 1, shaders, shaders, lanes, 1, pools)),
        streamer(sim.add<Source<VertexGroup>>(clock, "streamer")),
        interpolator(sim.add<Source<InterpolatedQuad>>(clock, "interpolator", std::move(quads))),
        buffer(sim.add<Sink<ReorderEntry>>(clock, "buffer")) {
    streamer.messages.resize(vertex_groups);
    for (VertexGroup& group : streamer.messages) group.state = &kState;
    interpolator.per_cycle = 2;
    streamer.per_cycle = spec.vertex_groups_per_cycle;
    buffer.per_cycle = 3;
    sim.connect(streamer.out, distributor.vertices_in[0],
                {1, spec.vertex_groups_per_cycle, 4 * spec.vertex_groups_per_cycle});
    sim.connect(interpolator.out, distributor.quads_in, {1, 2, 8});
    sim.connect(distributor.entries_out[0], buffer.in, {1, 3, 6});
    for (unsigned i = 0; i < shaders; i++) {
      vertices.push_back(&sim.add<Sink<VertexGroup>>(clock, "vertices" + std::to_string(i)));
      fragments.push_back(&sim.add<Sink<FragmentGroup>>(clock, "fragments" + std::to_string(i)));
      sim.connect(distributor.vertices_out[i], vertices[i]->in, {1, 1, 4});
      sim.connect(distributor.fragments_out[i], fragments[i]->in, {1, 1, 4});
      if (!distributor.vertices_under_way.empty())
        sim.connect(distributor.vertices_under_way[i], vertices[i]->in);
      if (!distributor.fragments_under_way.empty())
        sim.connect(distributor.fragments_under_way[i], fragments[i]->in);
    }
    sim.elaborate();
  }
};

}  // namespace cutaway::boxes::work_distributor_bench
