#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/work_distributor/distribution.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// When an incomplete group closes for which no more quads come. kTime: when it has waited. kRest: not before
// its cluster has fewer groups under way than units, so that one of them would rest (G80-2).
enum class GroupClosing : uint8_t { kTime, kRest };
inline constexpr EnumName<GroupClosing> kGroupClosingNames[] = {{GroupClosing::kTime, "time"},
                                                                {GroupClosing::kRest, "rest"}};

struct WorkDistributorSpec {
  unsigned quads_per_cycle = 2;
  PolicyName<FragmentDistributions> fragments = "tile-map";
  unsigned batch = 1;
  unsigned tile = 8;
  std::vector<unsigned> map = {};
  PolicyName<VertexDistributions> vertices = "turns";
  unsigned gather_cycles = 0;
  GroupClosing closing = GroupClosing::kTime;
  unsigned group_primitives = 0;
  bool whole_sub_tiles = false;
  bool vertices_first = true;
  unsigned vertex_groups_per_cycle = 1;

  template <class V>
  static void fields(V&& v) {
    using S = WorkDistributorSpec;
    v("quads_per_cycle", &S::quads_per_cycle, "quads", 1u, 8u, "quads taken from the interpolator per cycle");
    v("fragments", &S::fragments,
      "cluster of shader units that gets a group of quads: fewest-groups, the one with fewest of them; "
      "least-loaded, the one with most room; "
      "tile-batches, one for each batch of a tile of the screen; tile-map, the owner of the tile; turns, "
      "each in turn; z-order-map, the owner of the tile where clusters take turns along the Z order of tiles");
    v("batch", &S::batch, "groups", 1u, 256u,
      "groups of quads that a cluster gets in a row, in turns and tile batches");
    v("tile", &S::tile, "pixels", 8u, 128u,
      "width and height of the tiles of tile batches and of both maps; a power of 2");
    v("map", &S::map, "", 0u, 63u, "diagonal",
      "the cluster of tile (i, j) is i + the number of row j, modulo clusters; the list repeats");
    v("vertices", &S::vertices,
      "shader unit that gets a group of vertices: fewest-groups, the one with fewest of them; least-loaded, "
      "the one with most room; turns, each in turn");
    v("gather_cycles", &S::gather_cycles, "cycles", 0u, 256u,
      "cycles that an incomplete group waits for another quad; 0: it leaves when none is there");
    v("closing", &S::closing, kGroupClosingNames,
      "an incomplete group that has waited so long leaves: time, then; rest, not before its cluster has fewer "
      "groups of fragments under way than units");
    v("group_primitives", &S::group_primitives, "primitives", 0u, 16u,
      "primitives whose quads a group may contain; 0: as many as it has quads");
    v("whole_sub_tiles", &S::whole_sub_tiles, "",
      "8x4 pixels, half of an 8x8 tile, of which a primitive has all quads, are not divided between two "
      "groups that have room for them: a full group waits for the next quad, and if that belongs to its last "
      "sub-tile, it leaves that to the next group");
    v("vertices_first", &S::vertices_first, "",
      "vertex groups go before fragment groups that are ready in the same cycle");
    v("vertex_groups_per_cycle", &S::vertex_groups_per_cycle, "groups", 1u, 4u,
      "groups of vertices sent out per cycle");
  }
};

struct WorkDistributorCounters {
  uint64_t vertex_groups = 0, fragment_groups = 0, fragment_quads = 0;

  template <class V>
  static void fields(V&& v) {
    using C = WorkDistributorCounters;
    v("vertex_groups", &C::vertex_groups, "groups", "groups of vertices given to shader units");
    v("fragment_groups", &C::fragment_groups, "groups", "groups of fragments given to shader units");
    v("fragment_quads", &C::fragment_quads, "quads", "quads in these groups");
  }
};

// Gathers quads into groups, opens a reorder buffer entry for each, and gives groups to the shader units: who
// gets one is a policy (distribution.h).
class WorkDistributor final : public engine::Box {
 public:
  // front_ends: streamers; vertex_units: shader units that run vertices; clusters: of those that run
  // fragments, in groups of group_lanes, with so many cluster_units each; rops: that quads name.
  WorkDistributor(std::string path, const WorkDistributorSpec& spec, unsigned front_ends,
                  unsigned vertex_units, unsigned clusters, unsigned group_lanes, unsigned rops,
                  messages::Pools& pools, unsigned cluster_units = 1);

  std::vector<engine::In<messages::VertexGroup>> vertices_in;       // from the streamer of each front end
  engine::In<messages::InterpolatedQuad> quads_in;                  // from the interpolator
  std::vector<engine::Out<messages::VertexGroup>> vertices_out;     // by shader unit
  std::vector<engine::Out<messages::FragmentGroup>> fragments_out;  // by cluster
  std::vector<engine::Out<messages::ReorderEntry>> entries_out;     // to the reorder buffer of each ROP
  // By cluster and by shader unit: its groups from here to their ends, each with a place. There are more
  // places than groups. Of fragments if a policy asks or groups close to keep units busy; of vertices if a
  // policy asks.
  std::deque<engine::Storage> fragments_under_way, vertices_under_way;

  WorkDistributorCounters counters;

  void list_ports(engine::PortList& list) override {
    list("vertices_in", vertices_in,
         "groups of vertices, patches, points of patches, or invocations of geometry programs");
    list("quads_in", quads_in, "quads with their input registers");
    list("vertices_out", vertices_out,
         "to each shader unit: groups of vertices, patches, points or invocations");
    list("fragments_out", fragments_out, "to each cluster: groups of quads");
    list("entries_out", entries_out,
         "to the reorder buffer of each ROP: an entry for each of its quads, and draw ends");
    for (size_t cluster = 0; cluster < fragments_under_way.size(); cluster++)
      list(fmt::format("under_way{}", cluster), fragments_under_way[cluster]);
    for (size_t unit = 0; unit < vertices_under_way.size(); unit++)
      list(fmt::format("vertices_under_way{}", unit), vertices_under_way[unit]);
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;
  // Quads, for all that is made of them, while no group is being gathered.
  const engine::Port* source_of(const engine::Port& out) const override;

 private:
  static constexpr int kNone = -1;
  struct Gathered {
    messages::FragmentGroup group;                   // without quads: none is being gathered
    bool closed = false;                             // nothing more may join it
    engine::Cycle begun = 0;                         // when its first quad joined it
    engine::Cycle grown = 0;                         // when a quad joined it last
    unsigned primitives = 0;                         // of which it has quads,
    const messages::SetUpPrimitive* last = nullptr;  // and the one of its last quad
    uint32_t sub_tile = 0;                           // the first quad of the last quad's sub-tile
    // Quads of a sub-tile that would have been divided: the beginning of the next group.
    messages::PoolRef<messages::GroupQuads> rest{};

    bool open() const { return group.quads && !closed; }
  };
  bool give_vertices(engine::Cycle now);
  engine::In<messages::VertexGroup>* next_vertices(engine::Cycle now);
  bool gather(engine::Cycle now);
  bool fits(const Gathered& gathered, const messages::QuadMessage& quad) const;
  bool is_full(const Gathered& gathered) const { return gathered.group.quads->count * 4 == group_lanes_; }
  static bool goes_on(const Gathered& gathered, const messages::QuadMessage& quad);
  bool may_go_on(const Gathered& gathered) const;
  void leave_sub_tile(Gathered& gathered);
  void begin_next(engine::Cycle now, Gathered& gathered);
  static const messages::SetUpPrimitive* primitive_of(const messages::QuadMessage& quad);
  void join(engine::Cycle now, Gathered& gathered);
  int full_rop(engine::Cycle now, const messages::QuadMessage& quad) const;
  bool close_all();
  bool close_old(engine::Cycle now, bool lacks_quads);
  bool may_close(engine::Cycle now, const Gathered& gathered) const;
  bool give_fragments(engine::Cycle now);
  Distribution::Group told(engine::Cycle now, const Gathered& gathered) const;
  Distribution::Group told(engine::Cycle now, const messages::VertexGroup& group) const;
  engine::Cycle account(engine::Cycle now);
  template <class Message>
  struct RoomOfTakers;

  WorkDistributorSpec spec_;
  unsigned group_lanes_, cluster_units_;
  messages::Pools& pools_;
  std::unique_ptr<Distribution> vertices_, fragments_;
  size_t front_end_ = 0;  // whose vertices are looked at first
  // The input whose group of vertices is next in line, and since when; nullptr: none is.
  engine::In<messages::VertexGroup>* next_in_line_ = nullptr;
  engine::Cycle next_since_ = 0;
  std::vector<Gathered> gathered_;
  std::vector<uint32_t> next_order_;  // by ROP
  // By ROP. Entries count primitives, whatever number these have: the edges of a triangle that is drawn as
  // lines have that of the triangle. A primitive is not made anew while the ROP still has a quad of it.
  std::vector<uint32_t> primitives_;
  std::vector<const messages::SetUpPrimitive*> last_primitive_;
  int lacks_entries_ = kNone;  // the ROP whose reorder buffer gather() found full
};

}  // namespace cutaway::boxes
