#include "boxes/streamer/attribute_fetch.h"

#include <gtest/gtest.h>

#include "arch/memory.h"
#include "func/shader/micro_op.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::attribute_fetch_test {
namespace {

using messages::DrawState;
using messages::MemoryRequest;
using messages::VertexGroup;

constexpr arch::Address kVertices = 0x10000;

// Attribute 0 of vertex n is 1000 + n; there are 64 vertices, one line each.
std::unique_ptr<DrawState> state_of(const char* program) {
  auto state = messages::testing::plain_state();
  messages::testing::add_program(*state, arch::Stage::kVertex, program);
  auto& assembly = state->registers.assembly;
  assembly.vertex_base_in_id = 1;
  for (auto& attribute : assembly.attribute)
    attribute = {static_cast<uint32_t>(arch::Format::R32_UINT), 0, 0};
  assembly.binding[0] = {kVertices, 64 * 64, 64, 0, 1};
  return state;
}

struct Bench {
  AttributeFetch::Sizes sizes;
  messages::Pools pools;
  std::unique_ptr<DrawState> state;
  arch::Memory memory;
  AttributeFetch fetch;
  uint64_t hits = 0, merged = 0, misses = 0, conflicts = 0;
  std::vector<MemoryRequest> requests;

  static constexpr AttributeFetch::Sizes kSizes = {
      .vertices = 40, .reads = 64, .per_cycle = 16, .cache_lines = 64, .group_lanes = 4};
  explicit Bench(const AttributeFetch::Sizes& s = kSizes, const char* program = "MOV o0, i0\nEND\n")
      : sizes(s), state(state_of(program)), fetch(s, pools.group_vertices) {
    memory.map(0, 1 << 18);
    for (uint32_t i = 0; i < 64; i++) write(kVertices + 64 * i, 1000 + i);
  }
  void write(arch::Address at, uint32_t value) { memory.write(at, &value, 4); }

  void push(uint32_t vertex, uint32_t slot = 0, const DrawState* of = nullptr, uint32_t draw = 1) {
    fetch.push(static_cast<messages::SlotIndex>(slot), vertex, 0,
               {.draw = {.count = 1, .instances = 1, .first_instance = 9, .number = 6},
                .state = of ? of : state.get(),
                .origin = {.draw = draw}});
  }
  bool look_up() {
    const bool progress = fetch.look_up({hits, merged, misses, conflicts});
    ask();
    return progress;
  }
  void ask() {
    for (; fetch.cache().has_request(); fetch.cache().pop_request())
      requests.push_back(fetch.cache().request());
  }
  void answer(size_t which = 0) {
    ASSERT_LT(which, requests.size());
    messages::MemoryReply reply{.tag = requests[which].tag};
    memory.read(requests[which].address, reply.data.data(), messages::kSectorBytes);
    fetch.cache().reply(reply);
    requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(which));
  }
  // Completes all possible look-ups, and delivers everything that fits into a group.
  void settle() {
    for (bool progress = true; progress;) {
      progress = look_up();
      while (!requests.empty()) answer();
      progress |= fetch.deliver().progress;
    }
  }
  uint32_t word(const VertexGroup& group, uint32_t reg, uint32_t component, uint32_t lane) const {
    return group.vertices
        ->word[func::register_word(func::register_width(sizes.group_lanes), reg, component, lane)];
  }
};

TEST(AttributeFetch, FillsTheInputRegistersOfAGroup) {
  for (uint32_t lanes : {1u, 2u, 4u, 32u, 64u}) {
    Bench bench({.vertices = 70, .reads = 64, .per_cycle = 16, .cache_lines = 64, .group_lanes = lanes});
    const uint32_t first = std::min(20u, 64 - lanes);
    for (uint32_t i = 0; i < lanes; i++) bench.push(first + i, 3 * i, nullptr, 7);
    EXPECT_EQ(bench.fetch.vertices(), lanes);
    bench.settle();
    EXPECT_EQ(bench.fetch.vertices(), 0u);
    ASSERT_TRUE(bench.fetch.group_closes(false));
    const VertexGroup group = bench.fetch.take_group();
    EXPECT_EQ(group.state, bench.state.get());
    EXPECT_EQ(group.origin.draw, 7u);
    ASSERT_EQ(group.lanes, lanes);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      EXPECT_EQ(group.vertices->slot[lane], 3 * lane);
      EXPECT_EQ(bench.word(group, 0, 0, lane), 1000 + first + lane);
      EXPECT_EQ(bench.word(group, 0, 3, lane), 1u);  // the default of a missing component
      EXPECT_EQ(bench.word(group, arch::kInputVertexId, 0, lane), first + lane);
      EXPECT_EQ(bench.word(group, arch::kInputVertexId, 1, lane), 9u);
      EXPECT_EQ(bench.word(group, arch::kInputDraw, 0, lane), 6u);
    }
    EXPECT_FALSE(bench.fetch.group_closes(true));
    EXPECT_EQ(bench.fetch.lanes_in_group(), 0u);
  }
}

TEST(AttributeFetch, DeliversWhenAllAheadHasArrived) {
  Bench bench;
  for (uint32_t i = 0; i < 3; i++) bench.push(i);
  EXPECT_FALSE(bench.fetch.reading());
  EXPECT_TRUE(bench.look_up());
  EXPECT_FALSE(bench.look_up());
  EXPECT_TRUE(bench.fetch.reading());
  ASSERT_EQ(bench.requests.size(), 3u);
  EXPECT_TRUE(bench.fetch.deliver().progress);  // begins a lane
  bench.answer(2), bench.answer(1);
  EXPECT_FALSE(bench.fetch.deliver().progress);
  EXPECT_EQ(bench.fetch.vertices(), 3u);
  EXPECT_FALSE(bench.fetch.group_closes(true));  // its lane is incomplete
  bench.answer();
  EXPECT_TRUE(bench.fetch.deliver().progress);
  EXPECT_EQ(bench.fetch.vertices(), 0u);
  EXPECT_FALSE(bench.fetch.reading());
  EXPECT_FALSE(bench.fetch.group_closes(false));  // another vertex may come
  EXPECT_TRUE(bench.fetch.group_closes(true));
  EXPECT_EQ(bench.fetch.take_group().lanes, 3u);
}

TEST(AttributeFetch, AFullGroupLeavesBeforeMoreIsDelivered) {
  Bench bench;
  for (uint32_t i = 0; i < 6; i++) bench.push(i, i);
  bench.settle();
  EXPECT_EQ(bench.fetch.vertices(), 2u);
  const AttributeFetch::Delivery done = bench.fetch.deliver();
  EXPECT_TRUE(done.group_must_leave);
  EXPECT_FALSE(done.progress);
  EXPECT_EQ(bench.fetch.take_group().lanes, 4u);
  EXPECT_FALSE(bench.fetch.deliver().group_must_leave);
  ASSERT_TRUE(bench.fetch.group_closes(true));
  const VertexGroup group = bench.fetch.take_group();
  EXPECT_EQ(group.lanes, 2u);
  EXPECT_EQ(group.vertices->slot[1], 5u);
  EXPECT_EQ(bench.word(group, 0, 0, 1), 1005u);
}

TEST(AttributeFetch, AnotherStateIsAnotherGroup) {
  Bench bench;
  const std::unique_ptr<DrawState> other = state_of("MOV o0, i0\nEND\n");
  other->registers.assembly.binding[0].stride = 128;
  bench.push(2), bench.push(3), bench.push(4, 0, other.get(), 2);
  bench.settle();
  EXPECT_TRUE(bench.fetch.deliver().group_must_leave);
  EXPECT_TRUE(bench.fetch.group_closes(false));
  EXPECT_EQ(bench.fetch.take_group().lanes, 2u);
  bench.settle();
  const VertexGroup group = bench.fetch.take_group();
  EXPECT_EQ(group.lanes, 1u);
  EXPECT_EQ(group.state, other.get());
  EXPECT_EQ(group.origin.draw, 2u);
  EXPECT_EQ(bench.word(group, 0, 0, 0), 1008u);
}

// Three attributes per vertex, in one line.
TEST(AttributeFetch, LooksUpAndDeliversAsManyPerCycleAsDeclared) {
  for (uint32_t rate : {1u, 2u, 4u, 5u}) {
    Bench bench({.vertices = 40, .reads = 64, .per_cycle = rate, .cache_lines = 64, .group_lanes = 32},
                "ADD r0, i0, i1\nADD o0, r0, i2\nEND\n");
    for (uint32_t i = 0; i < 12; i++) bench.push(i);
    for (uint32_t cycle = 1; cycle <= 6; cycle++) {
      EXPECT_TRUE(bench.look_up());
      EXPECT_EQ(bench.hits + bench.misses, cycle * rate);
      EXPECT_EQ(bench.misses, (cycle * rate + 2) / 3);
    }
    bench.settle();
    EXPECT_EQ(bench.hits, 24u);
    EXPECT_EQ(bench.fetch.take_group().lanes, 12u);

    for (uint32_t i = 0; i < 12; i++) bench.push(i);
    while (bench.look_up()) {}
    for (uint32_t cycle = 1; cycle <= 6; cycle++) {
      EXPECT_TRUE(bench.fetch.deliver().progress);
      EXPECT_EQ(bench.fetch.vertices(), 12 - cycle * rate / 3);
    }
  }
}

TEST(AttributeFetch, AVertexWithoutAttributesIsDeliveredLikeOne) {
  Bench bench({.vertices = 40, .reads = 64, .per_cycle = 2, .cache_lines = 64, .group_lanes = 32},
              "MOV o0, c0\nEND\n");
  for (uint32_t i = 0; i < 5; i++) bench.push(i);
  EXPECT_FALSE(bench.look_up());
  for (const uint32_t left : {3u, 1u, 0u}) {
    EXPECT_TRUE(bench.fetch.deliver().progress);
    EXPECT_EQ(bench.fetch.vertices(), left);
  }
  EXPECT_FALSE(bench.fetch.deliver().progress);
}

TEST(AttributeFetch, HasAsManyReadsAsDeclared) {
  for (uint32_t size : {1u, 5u, 20u}) {
    Bench bench({.vertices = 40, .reads = size, .per_cycle = 16, .cache_lines = 64, .group_lanes = 32});
    for (uint32_t i = 0; i < 30; i++) bench.push(i);
    while (bench.look_up()) {}
    EXPECT_EQ(bench.misses, size);
    bench.answer();
    EXPECT_TRUE(bench.fetch.deliver().progress);
    while (bench.look_up()) {}
    EXPECT_EQ(bench.misses, size + 1);
  }
}

// One set of four lines, each pinned by an undelivered read.
TEST(AttributeFetch, WaitsForAPinnedLine) {
  Bench bench({.vertices = 40, .reads = 64, .per_cycle = 16, .cache_lines = 7, .group_lanes = 32});
  for (uint32_t i = 0; i < 6; i++) bench.push(i);
  while (bench.look_up()) {}
  EXPECT_EQ(bench.misses, 4u);
  bench.answer();
  EXPECT_FALSE(bench.look_up());
  bench.fetch.deliver();
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 5u);
  bench.settle();
  const VertexGroup group = bench.fetch.take_group();
  for (uint32_t lane = 0; lane < 6; lane++) EXPECT_EQ(bench.word(group, 0, 0, lane), 1000 + lane);
}

// One line for attribute 0 and two for attribute 1: for the second vertex only one of these has room.
TEST(AttributeFetch, APinnedLineIsProgressWithoutTheSecond) {
  Bench bench({.vertices = 40, .reads = 64, .per_cycle = 16, .cache_lines = 4, .group_lanes = 32},
              "ADD o0, i0, i1\nEND\n");
  bench.state->registers.assembly.attribute[1].offset = 64 + 62;
  bench.state->registers.assembly.binding[0].stride = 256;
  bench.push(0), bench.push(1);
  while (bench.look_up()) {}
  EXPECT_EQ(bench.misses, 4u);
  bench.answer();
  EXPECT_TRUE(bench.fetch.deliver().progress);
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 5u);
  EXPECT_FALSE(bench.look_up());
  bench.settle();
  EXPECT_EQ(bench.misses, 6u);
}

// Four vertices with a line each, at the same set of a cache with one bank, and of one with a bank per set.
TEST(AttributeFetch, LooksOneLineOfABankUpInACycle) {
  for (const auto& [banks, cycles] : {std::pair(0u, 1u), {1u, 4u}, {64u, 1u}}) {
    Bench bench({.vertices = 40,
                 .reads = 64,
                 .per_cycle = 16,
                 .cache_lines = 64,
                 .cache_banks = banks,
                 .group_lanes = 4});
    for (uint32_t vertex = 0; vertex < 4; vertex++) bench.push(vertex);
    for (uint32_t cycle = 1; cycle <= cycles; cycle++) {
      EXPECT_TRUE(bench.look_up());
      EXPECT_EQ(bench.misses, banks == 1 ? cycle : 4u);
    }
    EXPECT_FALSE(bench.look_up());
    EXPECT_EQ(bench.conflicts, cycles - 1);
  }
}

TEST(AttributeFetch, AMissWaitsAtTheLimitOfPendingLines) {
  Bench bench(
      {.vertices = 40, .reads = 64, .per_cycle = 16, .cache_lines = 64, .cache_mshrs = 2, .group_lanes = 4});
  for (uint32_t vertex = 0; vertex < 4; vertex++) bench.push(vertex);
  while (bench.look_up()) {}
  EXPECT_EQ(bench.requests.size(), 2u);
  bench.answer();
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 3u);
  EXPECT_FALSE(bench.look_up());
  bench.answer();
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 4u);
}

// The second line of an attribute waits for its bank, and no further attribute has room.
TEST(AttributeFetch, GoesOnWithTheLastAttributeThatHasRoom) {
  Bench bench(
      {.vertices = 40, .reads = 1, .per_cycle = 1, .cache_lines = 4, .cache_banks = 1, .group_lanes = 4});
  bench.state->registers.assembly.attribute[0].offset = 62;
  bench.push(0);
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 1u);
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 2u);
}

TEST(AttributeFetch, ALineIsReadForTheDrawOfItsVertex) {
  Bench bench;
  bench.push(0, 0, nullptr, 1), bench.push(1, 0, nullptr, 2);
  EXPECT_TRUE(bench.look_up());
  ASSERT_EQ(bench.requests.size(), 2u);
  EXPECT_EQ(bench.requests[0].origin.draw, 1u);
  EXPECT_EQ(bench.requests[1].origin.draw, 2u);
}

TEST(AttributeFetch, AnAttributeMayLieInTwoLines) {
  Bench bench;
  bench.state->registers.assembly.binding[0] = {kVertices + 62, 64 * 64, 64, 0, 1};
  bench.write(kVertices + 2 * 64 + 62, 0x01020304);
  bench.push(2);
  EXPECT_TRUE(bench.look_up());
  EXPECT_EQ(bench.misses, 2u);
  ASSERT_EQ(bench.requests.size(), 2u);
  EXPECT_EQ(bench.requests[0].address, kVertices + 2 * 64);
  EXPECT_EQ(bench.requests[1].address, kVertices + 3 * 64);
  bench.answer();
  bench.fetch.deliver();
  EXPECT_EQ(bench.fetch.vertices(), 1u);
  bench.answer();
  bench.fetch.deliver();
  EXPECT_EQ(bench.fetch.vertices(), 0u);
  EXPECT_EQ(bench.word(bench.fetch.take_group(), 0, 0, 0), 0x01020304u);
}

// All lines of the cache are available again for each vertex.
TEST(AttributeFetch, LetsGoOfBothLines) {
  Bench bench({.vertices = 40, .reads = 64, .per_cycle = 16, .cache_lines = 4, .group_lanes = 32});
  bench.state->registers.assembly.binding[0] = {kVertices + 62, 64 * 64, 64, 0, 1};
  for (uint32_t i = 0; i < 20; i++) bench.push(3 * i);
  bench.settle();
  EXPECT_EQ(bench.fetch.vertices(), 0u);
  EXPECT_EQ(bench.misses, 40u);
}

TEST(AttributeFetch, ReadsNothingBeyondTheVertices) {
  Bench bench;
  bench.push(64);
  bench.settle();
  EXPECT_EQ(bench.hits + bench.misses, 0u);
  EXPECT_EQ(bench.word(bench.fetch.take_group(), 0, 0, 0), 0u);
}

// A line is released on delivery, so orders find the cache idle.
TEST(AttributeFetch, TheCacheIsIdleWhenAllIsDelivered) {
  Bench bench;
  for (uint32_t i = 0; i < 4; i++) bench.push(i);
  bench.settle();
  EXPECT_TRUE(bench.fetch.cache().idle());
  bench.fetch.cache().invalidate();
  bench.fetch.take_group();
  bench.push(0);
  bench.settle();
  EXPECT_EQ(bench.misses, 5u);
}

}  // namespace
}  // namespace cutaway::boxes::attribute_fetch_test
