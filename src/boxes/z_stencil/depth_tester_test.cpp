#include "boxes/z_stencil/depth_tester.h"

#include <gtest/gtest.h>

#include "boxes/z_stencil/tester_for_test.h"

namespace cutaway::boxes::depth_tester_test {
namespace {

using z_stencil_bench::TesterBench;
using Side = DepthTester::Side;
using Phase = func::DepthPhase;

func::DepthResult make(TesterBench& bench, DepthTester::Test& test, const messages::QuadMessage& quad,
                       float z, Phase phase = Phase::kTestAndWrite) {
  const float depth[4] = {z, z, z, z};
  return bench.tester.make(test, quad, quad.mask, depth, nullptr, phase);
}

TEST(DepthTester, WaitsForStoredValues) {
  TesterBench bench;
  const messages::QuadMessage quad = bench.quad(0.5f);
  DepthTester::Test test = bench.tester.begin(quad, 0);
  EXPECT_FALSE(bench.tester.can_make(test)) << "has no lines";
  EXPECT_TRUE(bench.tester.acquire(test, quad, Side::kEarly));
  EXPECT_FALSE(bench.tester.can_make(test)) << "memory has not answered";
  EXPECT_EQ(bench.answer(), 1u);
  EXPECT_TRUE(bench.tester.can_make(test));
  EXPECT_EQ(make(bench, test, quad, 0.5f).pass, 15u);
  EXPECT_NEAR(bench.stored(), 0x800000, 1);
}

TEST(DepthTester, ReadsNothingThatIsOverwritten) {
  TesterBench bench({}, arch::DepthMode::kEarly, arch::Compare::kAlways);
  const messages::QuadMessage quad = bench.quad(0.5f);
  DepthTester::Test test = bench.tester.begin(quad, 0);
  EXPECT_TRUE(bench.tester.acquire(test, quad, Side::kEarly));
  EXPECT_TRUE(bench.tester.can_make(test));
  EXPECT_EQ(bench.answer(), 0u);
  make(bench, test, quad, 0.5f);
  EXPECT_NEAR(bench.stored() & 0xffffff, 0x800000, 1);
}

// Memory brings the depths of a surface with stencil alone, as of a clear that left stencils in memory.
TEST(DepthTester, LeavesTheAspectThatIsNotTested) {
  TesterBench bench;
  const uint32_t stored = 0x5affffff;
  bench.memory.write(messages::testing::kDepthAddress, &stored, 4);
  auto& registers = bench.state->registers.depth;
  registers.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  bench.state->prepare();
  const messages::QuadMessage quad = bench.quad(0.5f);
  DepthTester::Test test = bench.tester.begin(quad, 0);
  bench.tester.acquire(test, quad, Side::kEarly);
  EXPECT_EQ(bench.tester.cache().request().mask, 0x7777777777777777u);
  bench.answer();
  EXPECT_TRUE(bench.tester.can_make(test));
  EXPECT_EQ(make(bench, test, quad, 0.5f).pass, 15u);
  EXPECT_NEAR(bench.stored(), 0x5a800000, 1) << "the stencil never was in the cache";
  // A stencil test reads the stencil, and the depth that the cache holds already.
  registers.stencil_test = 1;
  registers.front = registers.back = {0, 0, 0, 2, 0x5a, 255, 255};  // equal
  bench.state->prepare();
  const messages::QuadMessage nearer = bench.quad(0.25f);
  test = bench.tester.begin(nearer, 0);
  bench.tester.acquire(test, nearer, Side::kEarly);
  EXPECT_FALSE(bench.tester.can_make(test));
  EXPECT_EQ(bench.answer(), 1u);
  EXPECT_EQ(make(bench, test, nearer, 0.25f).pass, 1u) << "the other pixels' stencil is 0";
  EXPECT_NEAR(bench.stored(), 0x5a400000, 1);
}

TEST(DepthTester, ReadsOneAspectIfTestsLeaveTheOther) {
  func::DepthState state;
  state.element_bytes = 4, state.depth_bits = 24, state.stencil_offset = 24, state.depth_mask = 0xffffff;
  const auto part = [&] {
    const structures::ElementPart found = tested_part(state);
    return std::pair<int, int>{found.first, found.bytes};
  };
  state.compare = arch::Compare::kLess;
  EXPECT_EQ(part(), std::pair(0, 3));
  state.stencil_test = true;
  EXPECT_EQ(part(), std::pair(0, 4));
  state.compare = arch::Compare::kAlways;
  EXPECT_EQ(part(), std::pair(3, 1));
  state.bounds_test = true;
  EXPECT_EQ(part(), std::pair(0, 4));
}

TEST(DepthTester, WritesOnlyInAPhaseThatWrites) {
  TesterBench bench;
  const messages::QuadMessage quad = bench.quad(0.5f);
  DepthTester::Test test = bench.tester.begin(quad, 0);
  bench.tester.acquire(test, quad, Side::kEarly);
  bench.answer();
  EXPECT_EQ(make(bench, test, quad, 0.5f, Phase::kTest).pass, 15u);
  EXPECT_EQ(bench.stored(), 0xffffffu);
}

// Four lines of 2 ways: a third line of a set gets room only once a test releases one.
TEST(DepthTester, HoldsLinesUntilTheTestIsMade) {
  TesterBench bench({.cache_lines = 4, .cache_ways = 2});
  std::vector<messages::QuadMessage> quads;
  std::vector<DepthTester::Test> tests;
  for (int32_t x = 0;; x += 8) {
    quads.push_back(bench.quad(0.5f, x));
    tests.push_back(bench.tester.begin(quads.back(), 0));
    if (!bench.tester.acquire(tests.back(), quads.back(), Side::kEarly)) break;
    ASSERT_LT(x, 64);
  }
  EXPECT_FALSE(tests.back().access.acquired());
  bench.answer();
  for (size_t i = 0; i + 1 < tests.size(); i++) make(bench, tests[i], quads[i], 0.5f);
  EXPECT_TRUE(bench.tester.acquire(tests.back(), quads.back(), Side::kEarly));
}

TEST(DepthTester, ReportsTilesThatItHasChanged) {
  TesterBench bench({.report_queue = 8, .report_cycles = 4});
  for (const int32_t x : {0, 8}) {
    const messages::QuadMessage quad = bench.quad(0.5f, x);
    DepthTester::Test test = bench.tester.begin(quad, 0);
    bench.tester.acquire(test, quad, Side::kEarly);
    bench.answer();
    make(bench, test, quad, 0.5f);
  }
  EXPECT_EQ(bench.tester.reports().next(10), 11u) << "tests have left the first tile";
}

}  // namespace
}  // namespace cutaway::boxes::depth_tester_test
