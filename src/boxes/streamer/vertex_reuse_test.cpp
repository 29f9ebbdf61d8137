// Vertices that are shaded once for several indices.
#include <gtest/gtest.h>

#include "boxes/streamer/bench_for_test.h"

namespace cutaway::boxes::vertex_reuse_test {
namespace {

using namespace streamer_bench;

TEST(Streamer, ReusesCachedVertices) {
  Bench bench({.post_cache = 4});
  bench.indices<uint16_t>({0, 1, 2, 2, 1, 3, 4, 5, 0, 5}, arch::IndexType::kUint16);
  bench.draw({.indexed = true, .count = 10});
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(),
            (std::vector<int>{1000, 1001, 1002, 1002, 1001, 1003, 1004, 1005, 1000, 1005, -3}));
  // First in, first out: 0 has been evicted when it comes again.
  EXPECT_EQ(bench.box.counters.post_cache_hits, 3u);
  EXPECT_EQ(bench.box.counters.vertices_shaded, 7u);
}

TEST(Streamer, AnotherDrawFindsNothingOfTheLast) {
  Bench bench;
  bench.indices<uint16_t>({0, 1, 2}, arch::IndexType::kUint16);
  bench.draw({.indexed = true, .count = 3});
  bench.draw({.indexed = true, .count = 3}, 2);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.box.counters.post_cache_hits, 0u);
}

TEST(Streamer, TheOldestLeavesThePostShadingCache) {
  for (unsigned size : {1u, 2u, 3u, 4u, 5u}) {
    Bench bench({.post_cache = size});
    std::vector<uint8_t> values;
    for (int round = 0; round < 3; round++)
      for (uint8_t i = 0; i < 4; i++) values.push_back(i);
    bench.indices(values, arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 12});
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.post_cache_hits, size >= 4 ? 8u : 0u);
    EXPECT_EQ(bench.box.counters.indices, 12u);
    EXPECT_EQ(bench.box.counters.draws, 1u);
  }
}

// Triangles over seven vertices. A batch ends before a triangle that would not fit if its three vertices were
// all new.
TEST(Streamer, BatchesOfVerticesAreForgottenTogether) {
  const std::vector<uint8_t> values = {0, 1, 2, 2, 1, 3, 0, 1, 2, 4, 5, 6, 0, 1, 2};
  struct Case {
    unsigned size;
    std::vector<uint32_t> groups;  // vertices of each group
  };
  for (const auto& [size, groups] : {Case{10, {7}},
                                     {9, {7, 3}},
                                     {7, {7, 3}},
                                     {6, {4, 6, 3}},
                                     {5, {3, 3, 3, 3, 3}},
                                     {3, {3, 3, 3, 3, 3}}}) {
    Bench bench({.post_cache = size, .reuse = VertexReuse::kBatches}, 16);
    bench.indices(values, arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 15});
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.shader.sizes, groups) << size;
    std::vector<int> expected;
    for (const uint8_t value : values) expected.push_back(1000 + value);
    expected.push_back(-3);
    EXPECT_EQ(bench.order(), expected);
  }
}

// A strip has one new vertex per primitive, so batches are full.
TEST(Streamer, BatchesOfStripsAreFull) {
  Bench bench({.post_cache = 5, .reuse = VertexReuse::kBatches}, 16);
  bench.state->registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  bench.indices(std::vector<uint8_t>{0, 1, 2, 3, 4, 3, 2, 5, 6, 0}, arch::IndexType::kUint8);
  bench.draw({.indexed = true, .count = 10});
  bench.sim.run(bench.clock, 2000);
  EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{5, 5}));  // 0 to 4; then 3, 2, 5, 6, 0
}

}  // namespace
}  // namespace cutaway::boxes::vertex_reuse_test
