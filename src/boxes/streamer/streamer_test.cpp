#include "boxes/streamer/streamer.h"

#include <gtest/gtest.h>

#include "boxes/streamer/bench_for_test.h"

namespace cutaway::boxes::streamer_test {
namespace {

using namespace streamer_bench;

TEST(Streamer, SendsVerticesInOrderAndTheDrawEnd) {
  Bench bench;
  bench.draw({.count = 6, .first = 3});
  bench.draw({.count = 1, .first = 60}, 2);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(), (std::vector<int>{1003, 1004, 1005, 1006, 1007, 1008, -3, 1060, -3}));
  EXPECT_EQ(bench.assembly.received[0].second.vertex->output[0][1], 3u);  // its id
  EXPECT_EQ(bench.box.counters.indices, 7u);
  EXPECT_EQ(bench.box.why_busy(), "");
}

TEST(Streamer, RestartsAndInstances) {
  Bench bench;
  bench.indices<uint8_t>({0, 1, 0xff, 2}, arch::IndexType::kUint8);
  bench.state->registers.assembly.primitive_restart = 1;
  bench.draw({.indexed = true, .count = 4, .instances = 3, .first_instance = 5});
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(),
            (std::vector<int>{1000, 1001, -1, 1002, -2, 1000, 1001, -1, 1002, -2, 1000, 1001, -1, 1002, -3}));
  for (const auto& [cycle, message] : bench.assembly.received)
    if (message.vertex) { EXPECT_GE(message.vertex->output[0][2], 5u); }
  EXPECT_EQ(bench.box.counters.post_cache_hits, 0u);  // another instance is another vertex
}

TEST(Streamer, AnEmptyDrawIsItsEnd) {
  Bench bench;
  bench.draw({.count = 0});
  bench.draw({.indexed = true, .count = 0, .instances = 4}, 2);
  bench.draw({.count = 1}, 3);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(), (std::vector<int>{-3, -3, 1000, -3}));
}

TEST(Streamer, FillsGroupsWithoutDeadlock) {
  for (uint32_t lanes : {4u, 32u}) {
    Bench bench({.queue = 6, .post_cache = 4, .slots = 8}, lanes);
    bench.draw({.count = 50});
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.assembly.received.size(), 51u);
    for (uint32_t size : bench.shader.sizes) EXPECT_LE(size, lanes);
  }
  Bench bench;
  bench.draw({.count = 48});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.shader.sizes, std::vector<uint32_t>(12, 4));
}

// Groups of 16 in registers of 32 lanes.
TEST(Streamer, ClosesGroupsSmallerThanTheRegisterWidth) {
  Bench bench({}, 32, 10, 16);
  bench.draw({.count = 40});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{16, 16, 8}));
  std::vector<int> expected;
  for (int i = 0; i < 40; i++) expected.push_back(1000 + i);
  expected.push_back(-3);
  EXPECT_EQ(bench.order(), expected);
}

TEST(Streamer, BlamesAssemblyAndMemory) {
  const auto blame = [](Cycle k) {
    Bench bench;
    bench.indices<uint8_t>(std::vector<uint8_t>(60, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 60});
    bench.assembly.interval = k;
    bench.sim.run(bench.clock, 9000);
    EXPECT_EQ(bench.assembly.received.size(), 61u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("assembly");
  };
  messages::testing::expect_blame_per_item(blame, 51, 100);  // of 61; one at once, nine wait on the wire
  const auto starved = [](Cycle latency) {
    Bench bench({}, 4, latency);
    bench.draw({.count = 1});
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.box).starved_by("memory");
  };
  EXPECT_EQ(starved(57) - starved(20), 37u);
}

// One group is being shaded, four wait on the wire, and the last, with a single vertex, waits for room there.
TEST(Streamer, BlamesTheShadersWhenTheLastGroupCannotLeave) {
  const auto blocked = [](Cycle latency) {
    Bench bench;
    bench.shader.latency = latency;
    bench.draw({.count = 21});
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{4, 4, 4, 4, 4, 1}));
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("shader");
  };
  EXPECT_GT(blocked(120), 60u);
  EXPECT_EQ(blocked(157) - blocked(120), 37u);
}

// A partial group that waits for slots is sent, because its vertices free them.
TEST(Streamer, AGroupThatLacksSlotsIsGivenOut) {
  Bench bench({.queue = 100, .post_cache = 4, .slots = 13});
  bench.assembly.refuse = true;
  bench.draw({.count = 60});
  bench.sim.run(bench.clock, 600);
  uint32_t shaded = 0;
  for (const uint32_t size : bench.shader.sizes) shaded += size;
  EXPECT_EQ(shaded, 9u + 13);  // nine wait at assembly
}

TEST(Streamer, ADrawWaitsForTheOneBeforeIfTheyDoNotOverlap) {
  for (const bool overlaps : {true, false}) {
    Bench bench({.overlaps_draws = overlaps});
    bench.shader.latency = 100;
    bench.draw({.count = 4});
    bench.draw({.count = 4, .first = 8}, 2);
    bench.sim.run(bench.clock, 60);  // the first group is being shaded
    EXPECT_EQ(bench.box.counters.draws, overlaps ? 2u : 1u);
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.order(), (std::vector<int>{1000, 1001, 1002, 1003, -3, 1008, 1009, 1010, 1011, -3}));
  }
}

// Vertices of the draw can enter until every slot is taken.
TEST(Streamer, HasABacklogWhileVerticesCanEnter) {
  Bench bench({.queue = 100, .post_cache = 4, .slots = 13});
  const engine::Box& box = bench.box;
  bench.shader.latency = 200;
  EXPECT_FALSE(box.has_backlog());
  bench.draw({.count = 60});
  bench.sim.run(bench.clock, 8);
  EXPECT_TRUE(box.has_backlog());
  bench.sim.run(bench.clock, 100);
  EXPECT_FALSE(box.has_backlog());
}

}  // namespace
}  // namespace cutaway::boxes::streamer_test
