#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct WorkDistributorSpec {
  unsigned quads_per_cycle = 2;
  unsigned gather_cycles = 0;
  bool vertices_first = true;

  template <class V>
  static void fields(V&& v) {
    using S = WorkDistributorSpec;
    v("quads_per_cycle", &S::quads_per_cycle, "quads", 1u, 8u, "quads taken from the interpolator per cycle");
    v("gather_cycles", &S::gather_cycles, "cycles", 0u, 256u,
      "that a group which is not full waits for another quad; 0: it goes when none is there");
    v("vertices_first", &S::vertices_first, "", "vertex groups go before fragment groups");
  }
};

struct WorkDistributorCounters {
  uint64_t vertex_groups = 0, fragment_groups = 0, fragment_quads = 0;

  template <class V>
  static void fields(V&& v) {
    using C = WorkDistributorCounters;
    v("vertex_groups", &C::vertex_groups, "groups", "vertex groups given to shader units");
    v("fragment_groups", &C::fragment_groups, "groups", "fragment groups given to shader units");
    v("fragment_quads", &C::fragment_quads, "quads", "quads in them");
  }
};

// Gathers quads into groups, opens a reorder buffer entry for each, and gives groups to the shader units in
// turn: a unit that cannot take one is passed over.
class WorkDistributor final : public engine::Box {
 public:
  // vertex_units: shader units that run vertices; clusters: of those that run fragments, in groups of
  // group_lanes.
  WorkDistributor(std::string path, const WorkDistributorSpec& spec, unsigned vertex_units, unsigned clusters,
                  unsigned group_lanes, parts::Pools& pools);

  engine::In<parts::VertexGroup> vertices_in;                    // from the streamer
  engine::In<parts::InterpolatedQuad> quads_in;                  // from the interpolator
  std::vector<engine::Out<parts::VertexGroup>> vertices_out;     // by shader unit
  std::vector<engine::Out<parts::FragmentGroup>> fragments_out;  // by cluster
  engine::Out<parts::ReorderEntry> entries_out;                  // to the reorder buffer

  WorkDistributorCounters counters;

  void list_ports(engine::PortList& list) override {
    list("vertices_in", vertices_in);
    list("quads_in", quads_in);
    list("vertices_out", vertices_out);
    list("fragments_out", fragments_out);
    list("entries_out", entries_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  bool give_vertices(engine::Cycle now);
  bool gather(engine::Cycle now);
  bool give_fragments(engine::Cycle now);

  WorkDistributorSpec spec_;
  unsigned group_lanes_;
  parts::Pools& pools_;
  parts::FragmentGroup group_;  // being gathered; without quads: none is
  bool closed_ = false;         // nothing more may join it
  engine::Cycle grown_ = 0;     // when a quad joined it last
  uint32_t next_order_ = 0;
  unsigned vertex_turn_ = 0, fragment_turn_ = 0;
  int waits_for_ = 0;  // what gather() found: 0 input, 1 entries_out
};

}  // namespace cutaway::boxes
