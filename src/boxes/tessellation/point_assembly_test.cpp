#include "boxes/tessellation/point_assembly.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::point_assembly_test {
namespace {

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  PointAssembly assembly{pools};
  uint32_t points = 0;

  explicit Bench(arch::TessDomain domain = arch::TessDomain::kTriangles, bool point_mode = false) {
    state->registers.tessellation.domain = static_cast<uint32_t>(domain);
    state->registers.tessellation.point_mode = point_mode;
  }
  // The n-th point has the index n.
  bool add() {
    messages::VertexMessage point;
    point.vertex = pools.vertices.allocate();
    point.vertex->output = {};
    point.vertex->index = points;
    point.vertex->output[0][0] = 1000 + points;
    point.state = state.get();
    point.origin.primitive = points++;
    return assembly.add(point, {});
  }
  static std::vector<uint32_t> indices(const messages::PrimitiveMessage& primitive) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < primitive.vertices; i++) found.push_back(primitive.vertex[i]->index);
    return found;
  }
};

TEST(PointAssembly, TakesThreePointsForATriangle) {
  Bench bench;
  for (uint32_t n = 0; n < 2; n++) {
    EXPECT_FALSE(bench.add());
    EXPECT_FALSE(bench.add());
    ASSERT_TRUE(bench.add());
    const messages::PrimitiveMessage primitive = bench.assembly.take();
    EXPECT_EQ(Bench::indices(primitive), (std::vector<uint32_t>{3 * n, 3 * n + 1, 3 * n + 2}));
    EXPECT_EQ(primitive.vertex[1]->output[0][0], 1001 + 3 * n);
    EXPECT_EQ(primitive.first, 0u);
    EXPECT_EQ(primitive.strip, n);
    EXPECT_EQ(primitive.state, bench.state.get());
    EXPECT_EQ(primitive.origin.primitive, 3 * n + 2) << "of its last point";
  }
}

TEST(PointAssembly, TakesTwoPointsForALineAndOneForAPoint) {
  Bench lines(arch::TessDomain::kIsolines), points(arch::TessDomain::kIsolines, true);
  EXPECT_FALSE(lines.add());
  ASSERT_TRUE(lines.add());
  EXPECT_EQ(lines.assembly.take().vertices, 2u);
  ASSERT_TRUE(points.add());
  EXPECT_EQ(points.assembly.take().vertices, 1u);
}

// The provoking vertex comes first, and `first` tells which of them was the first point.
TEST(PointAssembly, PutsTheProvokingVertexFirst) {
  Bench bench;
  bench.state->registers.assembly.provoking_vertex = static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  bench.add(), bench.add();
  ASSERT_TRUE(bench.add());
  const messages::PrimitiveMessage primitive = bench.assembly.take();
  EXPECT_EQ(Bench::indices(primitive), (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_EQ(primitive.first, 1u);
}

TEST(PointAssembly, MakesWholePrimitivesForAGeometryProgram) {
  Bench bench;
  messages::testing::add_program(*bench.state, arch::Stage::kGeometry, "END\n");
  bench.add(), bench.add();
  ASSERT_TRUE(bench.add());
  const messages::PrimitiveMessage primitive = bench.assembly.take();
  ASSERT_TRUE(primitive.whole);
  ASSERT_EQ(primitive.whole->vertices, 3u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(primitive.whole->vertex[i]->index, i);
  EXPECT_EQ(primitive.vertices, 0u);
}

// A vertex of post-shading memory may belong to several primitives: each gets a copy.
TEST(PointAssembly, CopiesVertices) {
  Bench bench(arch::TessDomain::kQuads, true);
  messages::VertexMessage point;
  point.vertex = bench.pools.vertices.allocate();
  point.vertex->output = {};
  point.state = bench.state.get();
  ASSERT_TRUE(bench.assembly.add(point, {}));
  const messages::PrimitiveMessage first = bench.assembly.take();
  ASSERT_TRUE(bench.assembly.add(point, {}));
  const messages::PrimitiveMessage second = bench.assembly.take();
  EXPECT_FALSE(first.vertex[0] == second.vertex[0]);
  EXPECT_FALSE(first.vertex[0] == point.vertex);
}

}  // namespace
}  // namespace cutaway::boxes::point_assembly_test
