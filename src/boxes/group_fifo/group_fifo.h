#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct GroupFifoSpec {
  unsigned groups = 4;
  unsigned quads = 0;
  unsigned batch = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoSpec::groups, "groups", 2u, 1024u,
      "that wait for the units of a cluster, where it has several");
    v("quads", &GroupFifoSpec::quads, "quads", 0u, 16384u,
      "of groups that wait behind these, however many groups they make; 0: no more wait");
    v("batch", &GroupFifoSpec::batch, "groups", 0u, 64u,
      "of a tile that a unit of a cluster gets before it is the turn of the next, which waits for it; 0: "
      "each goes to the next unit that has room");
  }
};

struct GroupFifoCounters {
  uint64_t groups = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoCounters::groups, "groups", "fragment groups given to the units of the cluster");
  }
};

// The queue of fragment groups (warps) of a cluster of shader units (G80-2): whichever unit has room takes
// the next, or units take turns. The wire that brings the groups is a queue of groups, and behind it there
// may be one that has room for so many quads.
class GroupFifo final : public engine::Box {
 public:
  // units: of the cluster, 2 to 16; tile: pixels along its sides, of the distribution to clusters.
  GroupFifo(std::string path, const GroupFifoSpec& spec, unsigned units, unsigned tile)
      : Box(std::move(path)),
        groups_out(units),
        spec_(spec),
        tile_(static_cast<int32_t>(tile)),
        waiting_(spec.quads) {}

  engine::In<parts::FragmentGroup> groups_in;                 // from the work distributor
  std::vector<engine::Out<parts::FragmentGroup>> groups_out;  // by unit of the cluster

  GroupFifoCounters counters;

  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in, "groups of quads");
    list("groups_out", groups_out, "to each unit of the cluster: groups of quads");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override {
    return quads_ ? fmt::format("{} groups of {} quads", waiting_.size(), quads_) : "";
  }

 private:
  bool store(engine::Cycle now);
  const parts::FragmentGroup* first(engine::Cycle now) const;
  bool give(engine::Cycle now);
  void give(engine::Cycle now, size_t unit);
  void begin_tile(const parts::QuadMessage& first);

  GroupFifoSpec spec_;
  int32_t tile_;
  parts::Ring<parts::FragmentGroup> waiting_;
  unsigned quads_ = 0;               // of those
  size_t turn_ = 0;                  // the unit that is looked at first
  unsigned given_ = 0;               // to it in this turn, in batches
  int32_t tile_x_ = 0, tile_y_ = 0;  // of the groups of this turn
};

}  // namespace cutaway::boxes
