#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct GroupFifoSpec {
  unsigned groups = 4;
  unsigned batch = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoSpec::groups, "groups", 2u, 1024u,
      "that wait for the units of a cluster, where it has several");
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
// the next, or units take turns. The wire that brings the groups is the queue.
class GroupFifo final : public engine::Box {
 public:
  // units: of the cluster, 2 to 16; tile: pixels along its sides, of the distribution to clusters.
  GroupFifo(std::string path, const GroupFifoSpec& spec, unsigned units, unsigned tile)
      : Box(std::move(path)), groups_out(units), spec_(spec), tile_(static_cast<int32_t>(tile)) {}

  engine::In<parts::FragmentGroup> groups_in;                 // from the work distributor
  std::vector<engine::Out<parts::FragmentGroup>> groups_out;  // by unit of the cluster

  GroupFifoCounters counters;

  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in);
    list("groups_out", groups_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  void give(engine::Cycle now, size_t unit);

  void begin_tile(const parts::QuadMessage& first);

  GroupFifoSpec spec_;
  int32_t tile_;
  size_t turn_ = 0;                  // the unit that is looked at first
  unsigned given_ = 0;               // to it in this turn, in batches
  int32_t tile_x_ = 0, tile_y_ = 0;  // of the groups of this turn
};

}  // namespace cutaway::boxes
