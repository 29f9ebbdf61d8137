// Tests the primitives that are made of emitted vertices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boxes/geometry_shading/bench_for_test.h"

namespace cutaway::boxes::geometry_emission_test {
namespace {

using namespace geometry_shading_bench;
using ::testing::ElementsAre;

// Vertices of other streams need no places, and none of their primitives leaves.
TEST(GeometryShading, OnlyStreamZeroIsRasterised) {
  Bench bench({.vertices = 3});
  bench.state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kPointList);
  bench.state->registers.geometry.max_vertices = 9;
  bench.state->registers.query.statistics = 1;
  bench.units.emits = [](uint32_t id, uint32_t) { return id == 0 ? "0111133" : "2"; };
  bench.primitives(2);
  bench.end();
  bench.run(200);
  EXPECT_EQ(bench.sent(), (std::vector<std::vector<uint32_t>>{{0}, {}}));
  ASSERT_EQ(bench.processor.received.size(), 1u);
  const command_stream::QueryCounters& counts = bench.processor.received[0].second.counts;
  EXPECT_THAT(counts.primitives_generated, ElementsAre(1, 4, 1, 2));
  EXPECT_EQ(counts[command_stream::Statistic::kGeometryInvocations], 2u);
  EXPECT_EQ(counts[command_stream::Statistic::kGeometryPrimitives], 8u);
  // Each takes a cycle, whether it leaves or not: the end follows the first after as many cycles as there are
  // others.
  EXPECT_EQ(bench.time(1), bench.time(0) + 8);
}

// A strip ends at a cut and at the end of its invocation; incomplete primitives are dropped.
TEST(GeometryShading, EndsStrips) {
  Bench bench;
  bench.state->registers.geometry.max_vertices = 20;
  bench.units.emits = [](uint32_t id, uint32_t) {
    return id == 0 ? "|0000|00|000" : id == 1 ? "00" : id == 2 ? "" : "000|";
  };
  bench.primitives(4);
  bench.end();
  bench.run();
  EXPECT_EQ(bench.sent(),
            (std::vector<std::vector<uint32_t>>{{0, 1, 2}, {1, 3, 2}, {6, 7, 8}, {300, 301, 302}, {}}));
}

// A vertex of more than 16 outputs takes two cycles.
TEST(GeometryShading, TakesACycleForEach16Outputs) {
  for (const uint32_t outputs : {16u, 17u, 33u}) {
    Bench bench({}, 4, outputs);
    bench.primitives(3);
    bench.end();
    bench.run();
    ASSERT_EQ(bench.clipper.received.size(), 4u);
    const Cycle each = (outputs + 15) / 16;
    EXPECT_EQ(bench.time(1) - bench.time(0), 3 * each) << outputs;
    EXPECT_EQ(bench.time(2) - bench.time(1), 3 * each) << outputs;
    EXPECT_EQ(bench.clipper.received[2].second.vertex[1]->output[outputs - 1][3], 4 * outputs - 1);
  }
}

}  // namespace
}  // namespace cutaway::boxes::geometry_emission_test
