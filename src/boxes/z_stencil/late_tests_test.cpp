#include "boxes/z_stencil/late_tests.h"

#include <gtest/gtest.h>

#include "arch/depth_promise.h"
#include "boxes/z_stencil/tester_for_test.h"

namespace cutaway::boxes::late_tests_test {
namespace {

using z_stencil_bench::TesterBench;

struct Bench : TesterBench {
  LateTests late{8, tester, counters};
  explicit Bench(arch::DepthMode mode = arch::DepthMode::kLate) : TesterBench({}, mode) {}

  bool push(const messages::QuadMessage& quad) {
    messages::ShadedQuad shaded;
    shaded.quad = quad;
    return push(shaded);
  }
  bool push(const messages::ShadedQuad& shaded) {
    const bool last = late.push(shaded);
    late.newest() = shaded;
    return last;
  }
};

TEST(LateTests, TestsTheOldestOnceMemoryHasAnswered) {
  Bench bench;
  EXPECT_TRUE(bench.push(bench.quad(0.5f, 0, 0, 7)));
  EXPECT_TRUE(bench.late.waits_for_lines());
  EXPECT_TRUE(bench.late.acquire());
  EXPECT_FALSE(bench.late.waits_for_lines());
  EXPECT_TRUE(bench.late.tests());
  EXPECT_FALSE(bench.late.ready());
  bench.answer();
  ASSERT_TRUE(bench.late.ready());
  bench.late.test();
  EXPECT_TRUE(bench.late.goes_on());
  EXPECT_EQ(bench.late.oldest().quad.mask, 7);
  bench.late.drop();
  EXPECT_TRUE(bench.late.empty());
  EXPECT_NEAR(bench.stored(), 0x800000, 1);
}

TEST(LateTests, DropsWhatFails) {
  Bench bench;
  for (const float z : {0.25f, 0.5f}) {
    bench.push(bench.quad(z));
    bench.late.acquire();
    bench.answer();
    ASSERT_TRUE(bench.late.ready());
    bench.late.test();
    EXPECT_EQ(bench.late.goes_on(), z == 0.25f);
    bench.late.drop();
  }
  EXPECT_EQ(bench.counters.late_quads, 2u);
  EXPECT_EQ(bench.counters.late_failed, 4u);
}

TEST(LateTests, PassesEarlyDrawsAndDrawEnds) {
  Bench bench(arch::DepthMode::kEarly);
  bench.push(bench.quad(0.5f));
  bench.push(bench.draw_end());
  for (int i = 0; i < 2; i++) {
    EXPECT_FALSE(bench.late.tests());
    EXPECT_TRUE(bench.late.ready());
    EXPECT_TRUE(bench.late.goes_on());
    bench.late.drop();
  }
  EXPECT_EQ(bench.counters.late_quads, 0u);
}

// A program that writes its depth is tested with that one.
TEST(LateTests, TestsTheDepthOfTheProgram) {
  Bench bench;
  bench.state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags =
      arch::kShaderWritesDepth;
  messages::ShadedQuad shaded;
  shaded.quad = bench.quad(0.5f);
  shaded.outputs = bench.pools.fragment_outputs.allocate();
  for (uint32_t lane = 0; lane < 4; lane++)
    shaded.outputs->output[arch::kOutputDepth][0][lane] = std::bit_cast<uint32_t>(0.25f);
  bench.push(shaded);
  bench.late.acquire();
  bench.answer();
  bench.late.test();
  EXPECT_NEAR(bench.stored(), 0x400000, 1);
}

// One that promises not to come nearer is tested with the interpolated depth if it does.
TEST(LateTests, KeepsThePromiseOfTheProgram) {
  for (const float exported : {0.25f, 0.75f}) {
    Bench bench;
    bench.state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags =
        arch::kShaderWritesDepth | arch::kShaderDepthNotLess;
    messages::ShadedQuad shaded;
    shaded.quad = bench.quad(0.5f);
    shaded.outputs = bench.pools.fragment_outputs.allocate();
    for (uint32_t lane = 0; lane < 4; lane++)
      shaded.outputs->output[arch::kOutputDepth][0][lane] = std::bit_cast<uint32_t>(exported);
    bench.push(shaded);
    bench.late.acquire();
    bench.answer();
    bench.late.test();
    EXPECT_NEAR(bench.stored(), exported < 0.5f ? 0x800000 : 0xc00000, 1);
  }
}

}  // namespace
}  // namespace cutaway::boxes::late_tests_test
