// Tests depths that are read before shading for tests after it, and quads of which color write is told.
#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"

namespace cutaway::boxes::z_prefetch_test {
namespace {

using namespace z_stencil_bench;

using arch::Compare;
using arch::DepthMode;
using messages::testing::add_depth;
using messages::testing::plain_state;

constexpr Cycle kMemory = 40;

struct Late : Bench {
  std::unique_ptr<messages::DrawState> state = plain_state();
  messages::PrimitiveRef primitive;

  explicit Late(unsigned prefetches, DepthMode mode = DepthMode::kLate)
      : Bench({.compression = false, .prefetches = prefetches}, kMemory) {
    add_depth(*state, Compare::kLess, true, mode);
    primitive = messages::testing::cover(pools, *state);
  }
  QuadMessage quad(int32_t x) { return messages::testing::quad(primitive, x, 0, 0.5f); }
  // Returns the cycles from a quad's return to its exit.
  Cycle late(int32_t x) {
    const Cycle from = clock.now();
    send_late(shaded(quad(x)));
    run(200);
    EXPECT_FALSE(color.received.empty());
    return color.received.empty() ? 0 : color.received.back().first - from;
  }
};

TEST(ZPrefetch, ALateTestFindsTheDepthsThatWereReadAhead) {
  Late plain(0), ahead(8);
  for (Late* bench : {&plain, &ahead}) bench->send(bench->quad(0)), bench->run(200);
  EXPECT_EQ(plain.memory.reads, 0u);
  EXPECT_EQ(ahead.memory.reads, 1u);
  EXPECT_EQ(ahead.unit.counters.prefetches, 1u);
  const Cycle waited = plain.late(0) - ahead.late(0);
  EXPECT_GE(waited, kMemory);
  EXPECT_LE(waited, kMemory + 2);
  EXPECT_EQ(ahead.memory.reads, 1u);
  EXPECT_EQ(ahead.unit.counters.cache_hits, 1u);
}

TEST(ZPrefetch, QuadsThatAreTestedBeforeShadingAskForNothingMore) {
  Late bench(8, DepthMode::kEarly);
  bench.send(bench.quad(0));
  bench.run(200);
  EXPECT_EQ(bench.memory.reads, 1u);
  EXPECT_EQ(bench.unit.counters.prefetches + bench.unit.counters.prefetches_dropped, 0u);
}

TEST(ZPrefetch, NoMoreAccessesAreUnderWayThanDeclared) {
  Late bench(2);
  for (int32_t x = 0; x < 5; x++) bench.send(bench.quad(8 * x));
  bench.run(30);
  EXPECT_EQ(bench.memory.reads, 2u);
  EXPECT_EQ(bench.unit.counters.prefetches_dropped, 3u);
  bench.run(200);
  for (int32_t x = 0; x < 5; x++) bench.late(8 * x);
  EXPECT_EQ(bench.memory.reads, 5u) << "those are read when their quads come back";
}

// In the cycle in which the quad itself leaves; not of quads of which nothing is left, nor of draw ends.
TEST(ZPrefetch, ColorWriteIsToldOfQuadsThatGoToBeShaded) {
  Bench bench({}, kMemory, structures::TileMap(), false, true);
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.5f));
  bench.send(messages::testing::quad(primitive, 0, 0, 0.75f));  // hidden by the first
  bench.send(messages::testing::draw_end<QuadMessage>(*state));
  bench.run(200);
  ASSERT_EQ(bench.ahead->received.size(), 1u);
  ASSERT_EQ(bench.interpolator.received.size(), 2u);
  EXPECT_EQ(bench.ahead->received[0].first + 1,
            bench.interpolator.received[0].first);  // a wire of 1, one of 2
}

}  // namespace
}  // namespace cutaway::boxes::z_prefetch_test
