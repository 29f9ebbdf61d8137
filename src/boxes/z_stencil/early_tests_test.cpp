#include "boxes/z_stencil/early_tests.h"

#include <gtest/gtest.h>

#include "boxes/z_stencil/tester_for_test.h"

namespace cutaway::boxes::early_tests_test {
namespace {

using z_stencil_bench::TesterBench;

struct Bench : TesterBench {
  EarlyTests early;
  explicit Bench(bool sends_dead = false, arch::DepthMode mode = arch::DepthMode::kEarly)
      : TesterBench({}, mode), early(8, sends_dead, tester, counters) {}

  void push(const messages::QuadMessage& quad) {
    EXPECT_TRUE(early.push(quad)) << "has one sample";
    if (!early.waits_for_lines()) return;
    EXPECT_TRUE(early.acquire());
  }
  bool test(unsigned budget = 8) { return early.test(budget); }
};

TEST(EarlyTests, DoesAQuadOnceMemoryHasAnswered) {
  Bench bench;
  bench.push(bench.quad(0.5f));
  EXPECT_FALSE(bench.test());
  EXPECT_FALSE(bench.early.done());
  bench.answer();
  EXPECT_TRUE(bench.test());
  ASSERT_TRUE(bench.early.done());
  EXPECT_TRUE(bench.early.goes_on());
  EXPECT_EQ(bench.early.oldest().mask, 15);
  bench.early.drop();
  EXPECT_TRUE(bench.early.empty());
  EXPECT_FALSE(bench.early.done());
}

// A quad behind one that waits for memory waits too, even if it is not tested.
TEST(EarlyTests, KeepsOrder) {
  Bench bench;
  bench.push(bench.quad(0.5f));
  bench.push(bench.draw_end());
  EXPECT_FALSE(bench.test());
  bench.answer();
  EXPECT_TRUE(bench.test());
  EXPECT_FALSE(bench.early.oldest().draw_end);
  bench.early.drop();
  ASSERT_TRUE(bench.early.done());
  EXPECT_TRUE(bench.early.oldest().draw_end);
  EXPECT_TRUE(bench.early.goes_on());
}

TEST(EarlyTests, TestsAsManyAsTheBudgetSays) {
  Bench bench;
  for (int i = 0; i < 3; i++) bench.push(bench.quad(0.5f));
  bench.answer();
  unsigned budget = 2;
  EXPECT_TRUE(bench.early.test(budget));
  EXPECT_EQ(budget, 0u);
  EXPECT_EQ(bench.counters.fragments_tested, 8u);
  EXPECT_FALSE(bench.early.test(budget));
}

// The second quad lies behind the first: it ends, unless what follows keeps a place for it.
TEST(EarlyTests, EndsQuadsOfWhichNothingIsLeft) {
  for (const bool sends_dead : {false, true}) {
    Bench bench(sends_dead);
    bench.push(bench.quad(0.25f)), bench.push(bench.quad(0.5f));
    bench.answer();
    bench.test();
    EXPECT_EQ(bench.counters.fragments_failed, 4u);
    bench.early.drop();
    ASSERT_TRUE(bench.early.done());
    EXPECT_EQ(bench.early.oldest().mask, 0);
    EXPECT_EQ(bench.early.goes_on(), sends_dead);
  }
}

TEST(EarlyTests, PassesQuadsOfLateDrawsUntested) {
  Bench bench(false, arch::DepthMode::kLate);
  EXPECT_TRUE(bench.early.push(bench.quad(0.5f)));
  EXPECT_FALSE(bench.early.waits_for_lines());
  EXPECT_TRUE(bench.test(0)) << "needs no budget";
  EXPECT_TRUE(bench.early.goes_on());
  EXPECT_EQ(bench.counters.quads, 1u);
  EXPECT_EQ(bench.counters.fragments_tested, 0u);
}

// Depth alone: quads end here, and their samples are counted, for each draw by itself although quads of the
// next one come before the end of the first is asked for.
TEST(EarlyTests, CountsSamplesOfDrawsThatEndHere) {
  Bench bench(true);
  bench.state->registers.query.samples_passed = 1;
  bench.state->ends_before_shading = true;
  for (const uint8_t mask : {7, 1}) {
    bench.push(bench.quad(0.5f, mask == 7 ? 0 : 8, 0, mask));
    bench.answer();
    bench.test();
    EXPECT_FALSE(bench.early.goes_on());
    bench.early.drop();
    bench.push(bench.draw_end());
    bench.test();
    EXPECT_TRUE(bench.early.goes_on());
    bench.early.drop();
  }
  EXPECT_EQ(bench.counters.quads_ended, 2u);
  EXPECT_EQ(bench.early.take_samples(), 3u);
  EXPECT_EQ(bench.early.take_samples(), 1u);
}

}  // namespace
}  // namespace cutaway::boxes::early_tests_test
