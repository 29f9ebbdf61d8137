#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boxes/geometry_shading/bench_for_test.h"

namespace cutaway::boxes::geometry_shading_test {
namespace {

using namespace geometry_shading_bench;
using ::testing::ElementsAre;

// The first group takes longest, but its primitives leave first.
TEST(GeometryShading, KeepsTheOrderThoughGroupsEndOutOfOrder) {
  Bench bench;
  bench.units.latency = [](uint32_t first) { return first == 0 ? 200 : 10; };
  bench.primitives(12);
  bench.end();
  bench.run();
  std::vector<std::vector<uint32_t>> expected;
  for (uint32_t i = 0; i < 12; i++) expected.push_back({100 * i, 100 * i + 1, 100 * i + 2});
  expected.emplace_back();
  EXPECT_EQ(bench.sent(), expected);
  for (uint32_t i = 0; i < 12; i++) EXPECT_EQ(bench.clipper.received[i].second.origin.primitive, i);
  ASSERT_EQ(bench.units.seen.size(), 3u);
  // Taken in 202 (sent, a wire); then three vertices per primitive, on the wire.
  EXPECT_GT(bench.time(0), 200u);
  for (size_t i = 1; i < 12; i++) EXPECT_EQ(bench.time(i), bench.time(0) + 3 * i);
  EXPECT_EQ(bench.time(12), bench.time(11) + 1);
}

// Invocations join in 2 to 5; the group of four is sent in 6 and arrives in 7.
TEST(GeometryShading, GathersAnInvocationACycle) {
  Bench bench;
  bench.primitives(4);
  bench.run(100);
  ASSERT_EQ(bench.units.seen.size(), 1u);
  EXPECT_EQ(bench.units.seen[0].first, 7u);
  EXPECT_THAT(bench.units.seen[0].second, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(bench.box.counters.invocations, 4u);
}

TEST(GeometryShading, GroupsInvocationsOfAPrimitiveSideBySide) {
  Bench bench;
  bench.state->registers.geometry.invocations = 3;
  bench.primitives(2);
  bench.end();
  bench.run();
  EXPECT_THAT(bench.units.invocations, ElementsAre(0, 1, 2, 0, 1, 2));
  ASSERT_EQ(bench.units.seen.size(), 2u);
  EXPECT_THAT(bench.units.seen[0].second, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(bench.units.seen[1].second, ElementsAre(1, 1));
  EXPECT_EQ(bench.box.counters.primitives_in, 2u);
  EXPECT_EQ(bench.box.counters.invocations, 6u);
  EXPECT_EQ(bench.sent().size(), 7u);
}

// The only primitive joins in 2. Without a successor the group is closed 8 cycles later; an end closes it in
// 3.
TEST(GeometryShading, AGroupWaitsForAnotherPrimitive) {
  for (const bool end : {false, true}) {
    Bench bench({.gather_cycles = 8});
    bench.primitives(1);
    if (end) bench.end();
    bench.run(100);
    ASSERT_EQ(bench.units.seen.size(), 1u);
    EXPECT_EQ(bench.units.seen[0].first, end ? 5u : 12u);
    EXPECT_EQ(bench.units.seen[0].second.size(), 1u);
  }
  // A primitive that arrives before the timeout joins; a later one does not.
  for (const Cycle after : {7u, 9u}) {
    Bench bench({.gather_cycles = 8});
    bench.assembly.interval = after;
    bench.primitives(2);
    bench.end();
    bench.run(100);
    EXPECT_EQ(bench.units.seen.size(), after < 8 ? 1u : 2u) << after;
  }
}

// Five primitives fill the wire, and the end behind them is blocked when one of the next draw comes.
TEST(GeometryShading, AGroupClosesWhileAnEndIsBlocked) {
  Bench bench({.gather_cycles = 40});
  bench.clipper.refuse = true;
  bench.primitives(5);
  bench.end();
  bench.run(100);
  bench.primitives(1, 2);
  bench.run(44);  // sent in 101; joins in 102, and is taken 42 cycles later
  EXPECT_EQ(bench.units.seen.size(), 3u);
  EXPECT_TRUE(bench.clipper.received.empty());
}

// Groups of four that may emit 64 vertices each. The second is sent when there is room for 256, which the
// first frees by vertices not emitted, and by each vertex that leaves.
TEST(GeometryShading, WaitsForRoomForAllThatAGroupMayEmit) {
  struct Case {
    unsigned room;
    uint32_t emitted;
    Cycle leave;  // vertices of the first group that must leave first
  };
  for (const auto& [room, emitted, leave] :
       {Case{256, 64, 256}, {256, 3, 12}, {257, 64, 255}, {400, 64, 112}, {400, 37, 4}, {511, 64, 1}}) {
    Bench bench({.output_vertices = room});
    bench.state->registers.geometry.max_vertices = 64;
    bench.units.emits = [&](uint32_t, uint32_t) { return std::string(emitted, '0'); };
    bench.primitives(8);
    bench.end();
    bench.run(2000);
    ASSERT_EQ(bench.units.seen.size(), 2u);
    // The first arrives at the unit in 7, ends in 17, returns in 18; its first vertex leaves in 19. The
    // second is sent with the last vertex that must leave, and arrives a cycle later.
    EXPECT_EQ(bench.units.seen[1].first, 19 + leave) << room << ", " << emitted;
    EXPECT_EQ(bench.box.counters.output_stalls, 1u);
    EXPECT_EQ(bench.box.counters.vertices, 8 * emitted);
    EXPECT_EQ(bench.box.counters.primitives, 8 * (emitted - 2));
  }
  // With room for both groups the second does not wait.
  Bench bench({.output_vertices = 512});
  bench.state->registers.geometry.max_vertices = 64;
  bench.primitives(8);
  bench.run(100);
  ASSERT_EQ(bench.units.seen.size(), 2u);
  EXPECT_EQ(bench.units.seen[1].first, 11u);
  EXPECT_EQ(bench.box.counters.output_stalls, 0u);
}

// If an invocation may emit 100 vertices, two fit into a buffer of 256.
TEST(GeometryShading, AGroupIsNoLargerThanTheOutputBuffer) {
  Bench bench({.output_vertices = 256}, 8);
  bench.state->registers.geometry.max_vertices = 100;
  bench.primitives(5);
  bench.end();
  bench.run(2000);
  std::vector<size_t> sizes;
  for (const auto& group : bench.units.seen) sizes.push_back(group.second.size());
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
}

TEST(GeometryShading, HasTheDeclaredGroupsInFlight) {
  for (const unsigned most : {1u, 2u, 16u}) {
    Bench bench({.groups = most});
    bench.units.latency = [](uint32_t) { return 300; };
    bench.primitives(20);
    bench.run(250);
    EXPECT_EQ(bench.units.seen.size(), std::min(most, 5u));
    bench.end();
    bench.run(3000);
    EXPECT_EQ(bench.units.seen.size(), 5u);
    EXPECT_EQ(bench.box.counters.groups, 5u);
  }
}

// The assembler remembers two vertices; the fourth has no place while a later primitive holds the third.
TEST(GeometryShading, WaitsForPlacesOfVertices) {
  Bench bench({.vertices = 3});
  bench.state->registers.geometry.max_vertices = 5;
  bench.units.emits = [](uint32_t, uint32_t) { return "00000"; };
  bench.primitives(1);
  bench.end();
  bench.run(200);
  ASSERT_EQ(bench.clipper.received.size(), 1u);  // its message is held here
  Cycle waited = 0;
  for (const auto& wait : messages::testing::account_of(bench.sim, bench.box).waits)
    if (wait.port == "storage") waited += wait.cycles;
  EXPECT_GT(waited, 100u);
  const Cycle freed = bench.clock.now();
  bench.clipper.received.clear();
  bench.run(20);
  ASSERT_EQ(bench.clipper.received.size(), 1u);  // the next primitive, which has taken the place
  EXPECT_LE(bench.time(0), freed + 3);
  bench.clipper.received.clear();
  bench.run(20);
  EXPECT_EQ(bench.sent().size(), 2u);  // the last primitive, and the end
}

// Draws without a program, between draws with one; each end is both a batch's and a draw's.
TEST(GeometryShading, PassesDrawsWithoutAProgram) {
  Bench bench;
  bench.primitives(2, 1);
  bench.end(1, true);
  bench.end(1);
  for (int i = 0; i < 3; i++) bench.pass(2);
  bench.end(2);
  bench.primitives(1, 3);
  bench.end(3);
  bench.run();
  const auto sent = bench.sent();
  ASSERT_EQ(sent.size(), 10u);
  for (const size_t i : {2, 3, 7, 9}) EXPECT_TRUE(sent[i].empty()) << i;
  EXPECT_TRUE(bench.clipper.received[2].second.batch_end);
  EXPECT_FALSE(bench.clipper.received[2].second.draw_end);
  for (const size_t i : {3, 7, 9}) EXPECT_TRUE(bench.clipper.received[i].second.draw_end) << i;
  for (const size_t i : {4, 5, 6}) EXPECT_EQ(sent[i], (std::vector<uint32_t>(3, 7777)));
  for (const size_t i : {5, 6}) EXPECT_EQ(bench.time(i), bench.time(i - 1) + 1);
  EXPECT_EQ(bench.box.counters.passed, 3u);
  std::vector<uint32_t> told;
  for (const auto& [cycle, assembled] : bench.processor.received) told.push_back(assembled.draw);
  EXPECT_THAT(told, ElementsAre(1, 1, 2, 3));
  // Each draw has its own assembler state: ids restart.
  EXPECT_EQ(sent[8], (std::vector<uint32_t>{0, 1, 2}));
}

TEST(GeometryShading, TheEndOfABatchOfOtherDrawsTakesNoCycle) {
  Bench bench;
  bench.pass(1);
  bench.assembly.messages = messages::testing::two_batches(bench.assembly.messages[0]);
  bench.assembly.per_cycle = bench.clipper.per_cycle = 2;
  bench.run();
  messages::testing::expect_ends_pass_along(bench.clipper.received);
  EXPECT_EQ(bench.processor.received.size(), 3u);
}

// Each point takes a cycle, so a slow clipper costs its excess time per point.
TEST(GeometryShading, BlamesASlowClipper) {
  const auto blame = [](Cycle k) {
    Bench bench;
    bench.state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kPointList);
    bench.clipper.interval = k;
    bench.primitives(40);
    bench.end();
    bench.run(20000);
    EXPECT_EQ(bench.clipper.received.size(), 121u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("clipper");
  };
  messages::testing::expect_blame_per_item(blame, 115, 100);
}

TEST(GeometryShading, BlamesUnitsThatTakeLong) {
  Bench bench;
  bench.units.latency = [](uint32_t) { return 500; };
  bench.primitives(4);
  bench.end();
  bench.run(400);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("units"), 380u);
}

}  // namespace
}  // namespace cutaway::boxes::geometry_shading_test
