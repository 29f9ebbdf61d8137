#include "boxes/tessellation/domain_walk.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "messages/testing/draws.h"

namespace cutaway::boxes::domain_walk_test {
namespace {

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  DomainWalk walk{8};  // 8 cycles from factors to points

  explicit Bench(arch::TessDomain domain = arch::TessDomain::kQuads) {
    state->registers.tessellation.domain = static_cast<uint32_t>(domain);
  }
  bool begin(float factor, engine::Cycle now = 0, uint32_t id = 5, uint32_t words = 6) {
    messages::PoolRef<messages::Patch> patch = pools.patches.allocate();
    patch->id = id;
    patch->words.assign(words, std::bit_cast<uint32_t>(factor));
    return walk.begin(now, patch, state.get(), {.draw = 3, .primitive = 99});
  }
  // u, v, w of all points that are left.
  std::vector<std::array<float, 3>> points() {
    std::vector<std::array<float, 3>> found;
    for (; walk.active(); walk.advance()) {
      const messages::Vec4 at = walk.coordinate();
      found.push_back(
          {std::bit_cast<float>(at[0]), std::bit_cast<float>(at[1]), std::bit_cast<float>(at[2])});
    }
    return found;
  }
};

// A square of factor 1 is two triangles over its four corners.
TEST(DomainWalk, WalksThePointsOfEachPrimitive) {
  Bench bench;
  ASSERT_TRUE(bench.begin(1));
  std::set<uint32_t> numbers;
  uint32_t points = 0;
  for (; bench.walk.active(); bench.walk.advance(), points++) {
    numbers.insert(bench.walk.point());
    EXPECT_EQ(bench.walk.coordinate()[2], 0u) << "w is that of triangles alone";
  }
  EXPECT_EQ(points, 6u);
  EXPECT_EQ(numbers.size(), 4u);
}

TEST(DomainWalk, GivesTrianglesAThirdCoordinate) {
  Bench bench(arch::TessDomain::kTriangles);
  ASSERT_TRUE(bench.begin(2));
  const auto points = bench.points();
  EXPECT_FALSE(points.empty());
  for (const auto& [u, v, w] : points) EXPECT_EQ(u + v + w, 1.0f);
}

TEST(DomainWalk, BeginsAfterItsCycles) {
  Bench bench;
  ASSERT_TRUE(bench.begin(1, 100));
  EXPECT_EQ(bench.walk.starts(), 108u);
  EXPECT_TRUE(bench.walk.waits(107));
  EXPECT_FALSE(bench.walk.waits(108));
  bench.points();
  EXPECT_FALSE(bench.walk.waits(100)) << "no patch is active";
}

// A culled patch is never active, but counts, and leaves its draw's state behind.
TEST(DomainWalk, CullsByFactors) {
  Bench bench;
  EXPECT_FALSE(bench.begin(-1));
  EXPECT_FALSE(bench.walk.active());
  EXPECT_EQ(bench.walk.number(), 1u);
  EXPECT_EQ(bench.walk.state(), bench.state.get());
  EXPECT_FALSE(bench.begin(1, 0, 5, 3)) << "the fourth factor lies behind the memory of the patch: it is 0";
  ASSERT_TRUE(bench.begin(1));
  EXPECT_EQ(bench.walk.number(), 3u);
}

TEST(DomainWalk, NamesThePatchAsOrigin) {
  Bench bench;
  ASSERT_TRUE(bench.begin(1, 0, 42));
  EXPECT_EQ(bench.walk.patch()->id, 42u);
  EXPECT_EQ(bench.walk.origin().draw, 3u);
  EXPECT_EQ(bench.walk.origin().primitive, 42u);
}

}  // namespace
}  // namespace cutaway::boxes::domain_walk_test
