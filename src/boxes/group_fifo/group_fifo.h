#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Who begins a batch of groups. kNext: the next unit in turn, which is waited for. kRoom: the next that has
// room, which then gets the rest of the batch.
enum class BatchTaker : uint8_t { kNext, kRoom };
inline constexpr EnumName<BatchTaker> kBatchTakerNames[] = {{BatchTaker::kNext, "next"},
                                                            {BatchTaker::kRoom, "room"}};

struct GroupFifoSpec {
  unsigned groups = 4;
  unsigned quads = 0;
  unsigned batch = 0;
  BatchTaker taker = BatchTaker::kNext;
  unsigned primitive_quads = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoSpec::groups, "groups", 2u, 1024u,
      "groups that wait for the units of a cluster, if it has several");
    v("quads", &GroupFifoSpec::quads, "quads", 0u, 16384u,
      "quads that wait behind these, however many groups they make; 0: no more wait");
    v("batch", &GroupFifoSpec::batch, "groups", 0u, 64u,
      "groups of a tile that a unit of a cluster gets before the turn passes to the next, which waits for "
      "it; 0: each group goes to the next unit that has room");
    v("taker", &GroupFifoSpec::taker, kBatchTakerNames,
      "unit that begins a batch: next, the next in turn; room, the next in turn that has room");
    v("primitive_quads", &GroupFifoSpec::primitive_quads, "quads", 0u, 64u,
      "room, in quads, of what a primitive brings besides its quads with the first group of the cluster that "
      "has one of them; a point brings nothing");
  }
};

struct GroupFifoCounters {
  uint64_t groups = 0;

  template <class V>
  static void fields(V&& v) {
    v("groups", &GroupFifoCounters::groups, "groups",
      "groups of fragments given to the units of the cluster");
  }
};

// The queue of fragment groups (warps) of a cluster of shader units (G80-2): the unit with room takes the
// next group, or units take turns. The wire that brings the groups is a queue of groups; behind it may be a
// second queue with a capacity in quads.
class GroupFifo final : public engine::Box {
 public:
  // units: of the cluster, 2 to 16; tile: pixels per side, of the distribution to clusters.
  GroupFifo(std::string path, const GroupFifoSpec& spec, unsigned units, unsigned tile)
      : Box(std::move(path)),
        groups_out(units),
        spec_(spec),
        tile_(static_cast<int32_t>(tile)),
        waiting_(spec.quads) {}

  engine::In<messages::FragmentGroup> groups_in;                 // from the work distributor
  std::vector<engine::Out<messages::FragmentGroup>> groups_out;  // by unit of the cluster

  GroupFifoCounters counters;

  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in, "groups of quads");
    list("groups_out", groups_out, "to each unit of the cluster: groups of quads");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override {
    return quads_ ? fmt::format("{} groups in the room of {} quads", waiting_.size(), quads_) : "";
  }

 private:
  struct Waiting {
    messages::FragmentGroup group;
    unsigned quads = 0;  // room that it takes
  };
  bool store(engine::Cycle now);
  unsigned new_primitives(const messages::GroupQuads& quads);
  const messages::FragmentGroup* first(engine::Cycle now) const;
  bool give(engine::Cycle now);
  void give(engine::Cycle now, size_t unit);
  void begin_tile(const messages::QuadMessage& first);

  GroupFifoSpec spec_;
  int32_t tile_;
  structures::Ring<Waiting> waiting_;
  unsigned quads_ = 0;               // room that these take
  unsigned next_quads_ = 0;          // room that the group at the input takes, once it is known
  messages::Origin newest_;          // the primitive of the last quad that has come
  size_t turn_ = 0;                  // the unit to try first
  unsigned given_ = 0;               // groups given to it in this turn, with batches
  int32_t tile_x_ = 0, tile_y_ = 0;  // tile of this turn's groups
};

}  // namespace cutaway::boxes
