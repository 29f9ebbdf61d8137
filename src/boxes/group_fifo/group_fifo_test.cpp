#include "boxes/group_fifo/group_fifo.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::group_fifo_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  GroupFifo& box;
  Source<FragmentGroup>& distributor = sim.add<Source<FragmentGroup>>(clock, "distributor");
  std::vector<Sink<FragmentGroup>*> units;

  Bench(unsigned count, uint32_t groups, unsigned batch = 0, uint32_t tile_ends = ~0u, unsigned room = 0,
        uint32_t quads = 1, unsigned primitive_quads = 0, BatchTaker taker = BatchTaker::kNext)
      : box(sim.add<GroupFifo>(
            clock, "fifo",
            GroupFifoSpec{.quads = room, .batch = batch, .taker = taker, .primitive_quads = primitive_quads},
            count, 16u)) {
    sim.connect(distributor.out, box.groups_in, {1, 1, 8});
    for (unsigned i = 0; i < count; i++) {
      units.push_back(&sim.add<Sink<FragmentGroup>>(clock, "unit" + std::to_string(i)));
      sim.connect(box.groups_out[i], units[i]->in, {1, 1, 1});
    }
    sim.elaborate();
    for (uint32_t i = 0; i < groups; i++) {
      FragmentGroup group;
      group.state = state.get();
      group.origin = {.primitive = i};
      group.quads = pools.group_quads.allocate();
      group.quads->count = quads;
      group.quads->quad[0].quad.x = i < tile_ends ? 0 : 16;
      distributor.messages.push_back(std::move(group));
    }
    distributor.wake();
  }
  std::vector<uint32_t> taken_by(unsigned unit) const {
    std::vector<uint32_t> groups;
    for (const auto& [cycle, group] : units[unit]->received) groups.push_back(group.origin.primitive);
    return groups;
  }
};

// Sent in cycle 1, leaves the FIFO in 2, arrives at the unit in 3: units take turns.
TEST(GroupFifo, GivesAGroupACycleToTheUnitsInTurn) {
  Bench bench(2, 6);
  bench.sim.run(bench.clock, 30);
  EXPECT_EQ(bench.taken_by(0), (std::vector<uint32_t>{0, 2, 4}));
  EXPECT_EQ(bench.taken_by(1), (std::vector<uint32_t>{1, 3, 5}));
  for (uint32_t i = 0; i < 6; i++) EXPECT_EQ(bench.units[i % 2]->received[i / 2].first, 3 + i);
  EXPECT_EQ(bench.box.counters.groups, 6u);
}

// A slow unit gets few groups: the first unit with room takes the next.
TEST(GroupFifo, AUnitWithoutRoomIsPassedOver) {
  Bench bench(2, 40);
  bench.units[0]->interval = 100;
  bench.sim.run(bench.clock, 200);
  // One taken at once, and one waiting at the unit.
  EXPECT_EQ(bench.taken_by(0).size(), 2u);
  EXPECT_EQ(bench.taken_by(1).size(), 38u);
}

// Two groups each in turn, regardless of room: a slow unit delays the other.
TEST(GroupFifo, InBatchesUnitsTakeTurns) {
  Bench bench(2, 40, 2);
  bench.units[0]->interval = 10;
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.taken_by(0), (std::vector<uint32_t>{0,  1,  4,  5,  8,  9,  12, 13, 16, 17,
                                                      20, 21, 24, 25, 28, 29, 32, 33, 36, 37}));
  EXPECT_EQ(bench.taken_by(1).size(), 20u);
}

// The third group is from another tile, so it begins a batch.
TEST(GroupFifo, ABatchEndsWithItsTile) {
  Bench bench(2, 8, 2, 3);
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.taken_by(0), (std::vector<uint32_t>{0, 1, 3, 4, 7}));
  EXPECT_EQ(bench.taken_by(1), (std::vector<uint32_t>{2, 5, 6}));
}

// Tiles of three groups; unit 0 takes a group in twenty cycles. A tile stays together, but its first group
// passes over a unit without room.
TEST(GroupFifo, ATileMayBeginAtTheUnitThatHasRoom) {
  const auto taken = [](BatchTaker taker) {
    Bench bench(2, 24, 8, ~0u, 0, 1, 0, taker);
    for (uint32_t i = 0; FragmentGroup & group : bench.distributor.messages)
      group.quads->quad[0].quad.x = static_cast<int32_t>(16 * (i++ / 3));
    bench.units[0]->interval = 20;
    bench.sim.run(bench.clock, 400);
    for (const unsigned unit : {0u, 1u})
      for (uint32_t i = 0; const uint32_t group : bench.taken_by(unit))
        EXPECT_EQ(group % 3, i++ % 3) << "a tile is divided";
    return bench.taken_by(0).size();
  };
  EXPECT_EQ(taken(BatchTaker::kNext), 12u);
  EXPECT_LE(taken(BatchTaker::kRoom), 6u);
  EXPECT_GE(taken(BatchTaker::kRoom), 3u);
}

// The number of waiting groups depends on the room for quads: 6 of 2 quads in 12 or 13, one of 16.
TEST(GroupFifo, HasRoomForQuads) {
  const auto inside = [](unsigned room, uint32_t quads) {
    Bench bench(2, 40, 0, ~0u, room, quads);
    bench.units[0]->interval = bench.units[1]->interval = 1000;
    bench.sim.run(bench.clock, 100);
    // Two are taken, two wait at the units, eight are in the wire.
    return bench.distributor.sent.size() - 2 - 2 - 8;
  };
  EXPECT_EQ(inside(0, 2), 0u);
  EXPECT_EQ(inside(12, 2), 6u);
  EXPECT_EQ(inside(13, 2), 6u);
  EXPECT_EQ(inside(12, 1), 12u);
  EXPECT_EQ(inside(12, 16), 1u);
}

// Groups of two quads: each with a primitive of its own, or all of one.
TEST(GroupFifo, ANewPrimitiveTakesRoom) {
  const auto inside = [](unsigned primitive_quads, unsigned vertices, bool one_primitive) {
    Bench bench(2, 60, 0, ~0u, 40, 2, primitive_quads);
    for (uint32_t i = 0; FragmentGroup & group : bench.distributor.messages) {
      const auto primitive = bench.pools.primitives.allocate();
      primitive->vertices = static_cast<uint8_t>(vertices);
      for (uint32_t q = 0; q < 2; q++) {
        group.quads->quad[q].quad.primitive = primitive;
        group.quads->quad[q].quad.origin = {.draw = 1, .primitive = one_primitive ? 7 : i};
      }
      i++;
    }
    bench.units[0]->interval = bench.units[1]->interval = 1000;
    bench.sim.run(bench.clock, 100);
    return bench.distributor.sent.size() - 2 - 2 - 8;  // as in HasRoomForQuads
  };
  EXPECT_EQ(inside(0, 3, false), 20u);
  EXPECT_EQ(inside(8, 3, false), 4u);
  EXPECT_EQ(inside(8, 2, false), 4u);
  EXPECT_EQ(inside(9, 3, false), 3u);
  EXPECT_EQ(inside(8, 3, true), 20u);  // that of the first group has left
  EXPECT_EQ(inside(8, 1, false), 20u);
}

// Passing through it takes no extra cycle.
TEST(GroupFifo, RoomForQuadsCostsNoTime) {
  Bench bench(2, 6, 0, ~0u, 8, 2);
  bench.sim.run(bench.clock, 30);
  for (uint32_t i = 0; i < 6; i++) EXPECT_EQ(bench.units[i % 2]->received[i / 2].first, 3 + i);
  EXPECT_EQ(bench.box.why_busy(), "");
}

// With all units full, the FIFO names the unit whose turn it is.
TEST(GroupFifo, BlamesTheUnitWhoseTurnItIs) {
  Bench bench(2, 10);
  bench.units[0]->interval = bench.units[1]->interval = 1000;
  bench.sim.run(bench.clock, 101);
  // Groups 0 and 1 are taken, 2 and 3 wait at the units: the last leaves in cycle 5, unit 0 is next.
  const auto account = messages::testing::account_of(bench.sim, bench.box);
  EXPECT_EQ(account.blocked_by("unit0"), 101u - 5u);
  EXPECT_EQ(account.blocked_by("unit1"), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::group_fifo_test
