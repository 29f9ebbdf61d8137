#include "boxes/tessellation/memory_slots.h"

#include <gtest/gtest.h>
#include <set>

#include "boxes/tessellation/bench_for_test.h"

namespace cutaway::boxes::memory_slots_test {
namespace {

using namespace tessellation_bench;

// Few slots on the chip: 7 of the cache and one more.
TessellationSpec few(unsigned memory_slots, unsigned read_back = 4) {
  return {.post_cache = 7,
          .slots = 8,
          .memory_slots = memory_slots,
          .read_back = read_back,
          .queue = 1024,
          .vertices = 4096};
}

// Nine outputs, of which 4, 4 and 1 lie in a sector: output 0 is what the bench computes.
constexpr const char* kOutputs =
    "MOV o0, i33\nMOV o1, i33\nMOV o3, i33\nMOV o4, i33\nMOV o7, i33\nMOV o12, i33\nMOV o31, i33\nMOV o33, "
    "i33\n"
    "MOV o39, i33\nEND\n";

// All words of the vertices of what came out.
std::vector<command_stream::ShadedVertex> vertices(const Bench& bench) {
  std::vector<command_stream::ShadedVertex> found;
  for (const auto& [cycle, message] : bench.clipper.received)
    for (uint32_t i = 0; i < message.vertices; i++) found.push_back(*message.vertex[i]);
  return found;
}

void expect_same(const Bench& bench, const Bench& other) {
  const auto a = vertices(bench), b = vertices(other);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); i++) EXPECT_EQ(a[i].output, b[i].output) << i;
}

// A point of the box has its words again, whichever outputs they are; the others are 0. What goes out is what
// is spilled, in sectors of four outputs.
TEST(MemorySlots, GiveBackWhatWasShaded) {
  const auto draw = [](Bench& bench) {
    bench.units.factor = [](uint32_t id) { return id == 1 ? -1.0f : 5.0f; };
    bench.units.latency = [](Stage, uint32_t first) { return first == 0 ? 90 : 5; };
    bench.patches(9);
    bench.end();
    bench.patches(5, 2);
    bench.end(2);
    ASSERT_TRUE(bench.run());
  };
  Bench bench(few(300), 4, 64, kOutputs), plain({.post_cache = 7, .vertices = 4096}, 4, 64, kOutputs);
  draw(bench);
  draw(plain);
  expect_same(bench, plain);
  const TessellationCounters& counters = bench.box.counters;
  EXPECT_EQ(counters.points_shaded, plain.box.counters.points_shaded);
  EXPECT_GT(counters.points_spilled, 100u);
  EXPECT_EQ(bench.memory->writes, 3 * counters.points_spilled);
  EXPECT_EQ(bench.memory->reads, 3 * counters.points_read_back);
  EXPECT_EQ(plain.box.counters.points_spilled, 0u);
  uint64_t bytes = 0;
  for (const auto& [cycle, request] : bench.memory->seen)
    if (request.write) bytes += static_cast<uint64_t>(std::popcount(request.mask));
  EXPECT_EQ(bytes, 9 * 16 * counters.points_spilled);
}

// Their range, each point its own sectors.
TEST(MemorySlots, LieSideBySide) {
  Bench bench(few(20), 4, 64, kOutputs);
  bench.units.factor = [](uint32_t) { return 8.0f; };
  bench.patches(1);
  bench.end();
  ASSERT_TRUE(bench.run());
  std::set<arch::Address> addresses;
  for (const auto& [cycle, request] : bench.memory->seen)
    if (request.write) addresses.insert(request.address);
  ASSERT_EQ(addresses.size(), 3u * 20);
  EXPECT_EQ(*addresses.begin(), kOwn);
  EXPECT_EQ(*addresses.rbegin(), kOwn + 64 * (3 * 20 - 1));
  EXPECT_LE(addresses.size() * 64, MemorySlots::bytes(20));
}

// A square of factor 2 whose nine points are primitives: the ninth finds no slot.
struct NinePoints : Bench {
  explicit NinePoints(const char* evaluation = "MOV o0, i33\nEND\n", unsigned read_back = 1)
      : Bench(few(8, read_back), 4, 64, evaluation) {
    state->registers.tessellation.point_mode = 1;
    units.factor = [](uint32_t) { return 2.0f; };
    patches(1);
    end();
  }
};

// Asked for in the cycle after it was written, and there so many cycles later.
TEST(MemorySlots, APointIsNotThereBeforeMemoryAnswers) {
  for (const Cycle latency : {5u, 20u, 77u}) {
    NinePoints bench;
    bench.memory->latency = latency;
    ASSERT_TRUE(bench.run());
    ASSERT_EQ(bench.box.counters.points_spilled, 1u);
    ASSERT_EQ(bench.memory->seen.size(), 2u);
    const auto& [written, write] = bench.memory->seen[0];
    const auto& [read, asked] = bench.memory->seen[1];
    EXPECT_TRUE(write.write && !asked.write);
    EXPECT_EQ(read, written + 1);
    ASSERT_EQ(bench.primitives().size(), 9u);
    // Answered when it is there, which takes a cycle; taken, sent in the next, which takes another.
    EXPECT_EQ(bench.clipper.received[8].first, read + latency + 1 + 1 + 1);
  }
}

// A sector a cycle, and its group stays on the wire.
TEST(MemorySlots, WritesASectorACycle) {
  const auto written = [](const char* outputs) {
    Bench bench(few(200), 4, 64, outputs);
    bench.state->registers.tessellation.point_mode = 1;
    bench.units.factor = [](uint32_t) { return 5.0f; };
    bench.clipper.refuse = true;
    bench.patches(1);
    bench.sim.run(bench.clock, 400);
    std::vector<Cycle> cycles;
    for (const auto& [cycle, request] : bench.memory->seen)
      if (request.write) cycles.push_back(cycle);
    EXPECT_EQ(bench.box.counters.points_spilled, 36u - 8);
    return cycles;
  };
  const auto one = written("MOV o0, i33\nMOV o1, i33\nMOV o2, i33\nMOV o3, i33\nEND\n"),
             three = written(kOutputs);
  ASSERT_EQ(one.size(), 28u);
  ASSERT_EQ(three.size(), 3u * 28);
  // A group of 32 points, then one of 4, which comes while the first is being written. Reads go first: as
  // many as there are places.
  EXPECT_EQ(one.back() - one.front(), 27u + 4);
  EXPECT_EQ(three.back() - three.front(), 3u * 28 - 1 + 3 * 4);
}

// As many points are under way as there are slots of both kinds.
TEST(MemorySlots, AWalkWaitsWhenTheseAreTakenToo) {
  for (const unsigned slots : {0u, 1u, 13u, 90u}) {
    Bench bench(few(slots));
    bench.state->registers.tessellation.point_mode = 1;
    bench.units.factor = [](uint32_t) { return 12.0f; };
    bench.units.latency = [](Stage stage, uint32_t) { return stage == Stage::kTessControl ? 5 : 5000; };
    bench.patches(1);
    bench.sim.run(bench.clock, 600);
    uint32_t lanes = 0;
    for (const auto& group : bench.units.evaluations) lanes += group.lanes;
    EXPECT_EQ(lanes, 8 + slots);
    EXPECT_EQ(bench.box.counters.points_spilled, slots);
  }
}

// A point is found in its place by those of the order that come soon; one place holds the last alone.
TEST(MemorySlots, PlacesKeepPoints) {
  const auto reads = [](unsigned places) {
    Bench bench(few(300, places));
    bench.units.factor = [](uint32_t) { return 8.0f; };
    bench.patches(1);
    bench.end();
    EXPECT_TRUE(bench.run());
    Bench plain({.post_cache = 7, .vertices = 4096});
    plain.units.factor = bench.units.factor;
    plain.patches(1);
    plain.end();
    EXPECT_TRUE(plain.run());
    expect_same(bench, plain);
    EXPECT_GE(bench.box.counters.points_read_back, bench.box.counters.points_spilled) << places;
    return bench.box.counters.points_read_back;
  };
  EXPECT_GT(reads(1), reads(3));
  EXPECT_GT(reads(3), reads(64));
}

// Memory that takes nothing is blamed, and one that answers late.
TEST(MemorySlots, BlameMemory) {
  NinePoints late;
  late.memory->latency = 300;
  ASSERT_TRUE(late.run());
  EXPECT_GT(messages::testing::account_of(late.sim, late.box).starved_by("memory"), 290u);
  Bench busy(few(200));
  busy.memory->interval = 50;
  busy.units.factor = [](uint32_t) { return 4.0f; };
  busy.patches(1);
  busy.end();
  ASSERT_TRUE(busy.run());
  const engine::Account account = messages::testing::account_of(busy.sim, busy.box);
  EXPECT_GT(account.blocked_by("memory"), 90u);
}

}  // namespace
}  // namespace cutaway::boxes::memory_slots_test
