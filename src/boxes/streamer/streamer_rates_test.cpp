// Rates and sizes that parameters declare.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>

#include "boxes/streamer/bench_for_test.h"

namespace cutaway::boxes::streamer_rates_test {
namespace {

using namespace streamer_bench;

// One index and one vertex per cycle (ATT-3), or several, if shading keeps up.
TEST(Streamer, SendsAsManyVerticesPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 3u, 4u}) {
    // The only group leaves when the order is full.
    Bench bench({.queue = 48, .vertices_per_cycle = rate}, 4, 1);
    bench.shader.latency = 1;
    bench.indices<uint8_t>(std::vector<uint8_t>(240, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 240});
    bench.sim.run(bench.clock, 400);
    ASSERT_EQ(bench.assembly.received.size(), 241u);
    EXPECT_EQ(bench.assembly.received[239].first - bench.assembly.received[119].first, 120u / rate) << rate;
  }
}

// Groups of one vertex leave at that rate too.
TEST(Streamer, SendsAsManyGroupsPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 4u}) {
    StreamerSpec spec{.queue = 256, .slots = 255, .vertices_per_cycle = rate};
    spec.attributes_per_cycle = 16;
    Bench bench(spec, 1, 1);
    bench.shader.latency = 1000;  // takes one; the rest fills its wire
    bench.draw({.count = 64});
    unsigned before = 0, most = 0;
    for (unsigned cycle = 0; cycle < 60; cycle++) {
      bench.sim.run(bench.clock, 1);
      const auto sent = static_cast<unsigned>(bench.box.groups_out.wire()->sent());
      most = std::max(most, sent - before);
      before = sent;
    }
    EXPECT_EQ(most, rate);
  }
}

// One vertex repeated: behind a blocked assembly are those on the wire and in the queue.
TEST(Streamer, HoldsAsManyVerticesAsItsQueue) {
  for (unsigned size : {1u, 7u, 48u}) {
    Bench bench({.queue = size});
    bench.indices<uint8_t>(std::vector<uint8_t>(200, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 200});
    bench.assembly.refuse = true;
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.indices, 9 + size);
    EXPECT_EQ(bench.box.counters.vertices_shaded, 1u);
    EXPECT_EQ(bench.box.counters.post_cache_hits, 9 + size - 1);
  }
}

TEST(Streamer, HasAsManyVerticesUnderWayAsSlots) {
  for (unsigned slots : {8u, 13u}) {
    Bench bench({.queue = 100, .post_cache = 4, .slots = slots});
    bench.shader.latency = 100'000;
    bench.draw({.count = 60});
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.vertices_shaded, slots);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("shader"), 400u);
  }
}

TEST(Streamer, ReadsAsManySectorsOfIndicesAheadAsDeclared) {
  for (unsigned sectors : {2u, 5u}) {
    Bench bench({.index_sectors = sectors}, 4, 100'000);
    bench.indices(std::vector<uint32_t>(400, 1), arch::IndexType::kUint32);
    bench.draw({.indexed = true, .count = 400});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.index_memory.reads, sectors);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("index_memory"), 250u);
  }
}

// Each vertex has a line of its own.
TEST(Streamer, HasAsManyAttributesUnderWayAsDeclared) {
  for (unsigned size : {1u, 5u, 20u}) {
    Bench bench({.attribute_queue = size}, 4, 100'000);
    bench.state->registers.assembly.binding[0] = {kVertices, 64 * 64, 64, 0, 1};
    bench.draw({.count = 40});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.memory.reads, size);
    EXPECT_EQ(bench.box.counters.cache_misses, size);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("memory"), 250u);
  }
}

// Eight attributes for each of four vertices, at the declared rate, and a cycle that sends the group.
TEST(Streamer, DeliversAsManyAttributesPerCycleAsDeclared) {
  for (unsigned rate : {1u, 2u, 4u}) {
    const auto time = [&](uint32_t count) {
      Bench bench({.attributes_per_cycle = rate}, 4, 1);
      bench.shader.latency = 1;
      std::string text;
      for (uint32_t i = 0; i < 8; i++) {
        text += "ADD o0, i" + std::to_string(i) + ", i0\n";
        bench.state->registers.assembly.attribute[i] = bench.state->registers.assembly.attribute[0];
      }
      messages::testing::add_program(*bench.state, arch::Stage::kVertex, text + "END\n");
      bench.draw({.count = count});
      bench.sim.run(bench.clock, 2000);
      EXPECT_EQ(bench.box.counters.cache_hits + bench.box.counters.cache_misses, 8u * count);
      return bench.assembly.received.back().first;
    };
    EXPECT_EQ(time(48) - time(16), 8 * (4 * 8 / rate + 1)) << rate;
  }
}

// One vertex repeated; each copy sent has a place. Later ones wait in the order.
TEST(Streamer, WaitsWhileItsStorageIsFull) {
  for (const unsigned places : {3u, 4u, 20u}) {
    Bench bench({.vertices = places});
    bench.indices<uint8_t>(std::vector<uint8_t>(places + 2, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = places + 2});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.order(), std::vector<int>(places, 1007));
    EXPECT_EQ(bench.box.storage.free(bench.clock.now()), 0u);
    const engine::Account full = messages::testing::account_of(bench.sim, bench.box);
    for (const auto& wait : full.waits) {
      const bool here = wait.port == "storage";
      EXPECT_TRUE(here ? wait.cycles > 200 : wait.port != "vertices_out" || wait.cycles == 0) << wait.port;
    }
    // Released in cycle 300, free and sent in 301, arrives in 302; the draw's end needs no place.
    bench.assembly.received.front().second = {};
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.assembly.received.size(), places);
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.assembly.received.size(), places + 1);
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.assembly.received.size(), places + 1) << "one place, one vertex";
    bench.assembly.received[1].second = {};
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.assembly.received.size(), places + 3);
    EXPECT_TRUE(bench.assembly.received.back().second.draw_end);
  }
}

// Each vertex has a sector of its own, which occupies the fill port: 64 / fill_bytes cycles a vertex.
TEST(Streamer, FillsItsCacheAtTheDeclaredRate) {
  for (const unsigned rate : {4u, 8u, 16u}) {
    const auto time = [&](uint32_t count) {
      Bench bench({.fill_bytes = rate});
      bench.shader.latency = 1;
      bench.state->registers.assembly.binding[0] = {kVertices, 64 * 64, 64, 0, 1};
      bench.draw({.count = count});
      bench.sim.run(bench.clock, 2000);
      EXPECT_EQ(bench.order().back(), -3);
      return bench.assembly.received.back().first;
    };
    EXPECT_EQ(time(48) - time(16), 32 * 64 / rate) << rate;
  }
}

// 64 vertices of 4 bytes, and as many of 36 bytes, some of which lie in two lines.
TEST(Streamer, ReadsWholeLines) {
  for (const auto& [line, stride, reads] :
       {std::tuple{64u, 4u, 4u}, {256u, 4u, 4u}, {128u, 36u, 36u}, {512u, 36u, 40u}}) {
    Bench bench({.line_bytes = line});
    bench.state->registers.assembly.binding[0] = {kVertices, 64 * stride, stride, 0, 1};
    for (uint32_t i = 0; i < 64; i++) {
      const uint32_t value = 1000 + i;
      bench.memory.memory.write(kVertices + stride * i, &value, 4);
    }
    bench.draw({.count = 64});
    bench.sim.run(bench.clock, 1000);
    std::vector<int> expected(64);
    std::iota(expected.begin(), expected.end(), 1000);
    expected.push_back(-3);
    EXPECT_EQ(bench.order(), expected);
    EXPECT_EQ(bench.memory.reads, reads) << line;
  }
}

// More than 16 outputs occupy the wire longer (ATT-2).
TEST(Streamer, VerticesOfManyOutputsLeaveMoreSlowly) {
  for (const auto& [outputs, cycles] : {std::pair{16u, 1u}, {17u, 2u}, {32u, 2u}}) {
    Bench bench({}, 4, 1);
    bench.shader.latency = 1;
    bench.state->registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)].outputs =
        static_cast<uint32_t>((1ull << outputs) - 1);
    bench.indices<uint8_t>(std::vector<uint8_t>(200, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 200});
    bench.sim.run(bench.clock, 900);
    ASSERT_EQ(bench.assembly.received.size(), 201u);
    EXPECT_EQ(bench.assembly.received[180].first - bench.assembly.received[80].first, 100 * cycles)
        << outputs;
  }
}

}  // namespace
}  // namespace cutaway::boxes::streamer_rates_test
