// Quads that overwrite what is stored, whatever it is: nothing is read for them.
#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"
#include "boxes/z_stencil/z_stencil.h"

namespace cutaway::boxes::overwrite_test {
namespace {

using namespace z_stencil_bench;
using arch::Compare;
using arch::DepthMode;
using arch::StencilOp;
using messages::testing::add_depth;
using messages::testing::plain_state;

constexpr uint32_t kStored = 0xa5ffffff;
constexpr uint32_t kHalf = 0x800000;

void fill(Bench& bench) {
  const std::vector<uint32_t> stored(1 << 14, kStored);
  bench.memory.memory.write(messages::testing::kDepthAddress, stored.data(), 4 * stored.size());
}

void use_stencil(messages::DrawState& state, StencilOp op, uint32_t write_mask = 255) {
  auto& depth = state.registers.depth;
  depth.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  depth.stencil_test = 1;
  const auto always = static_cast<uint32_t>(Compare::kAlways), does = static_cast<uint32_t>(op);
  depth.front = depth.back = {does, does, does, always, 0x3c, 255, write_mask};
  state.prepare();
}

struct Outcome {
  uint64_t reads;
  uint32_t stored;
};
Outcome draw(const messages::DrawState& state, bool late) {
  Bench bench;
  fill(bench);
  const auto primitive = messages::testing::cover(bench.pools, state);
  const QuadMessage quad = messages::testing::quad(primitive, 0, 0, 0.5f);
  if (late) bench.send_late(shaded(quad));
  else bench.send(quad);
  bench.run(60);
  const uint64_t reads = bench.memory.reads;
  bench.flush();
  return {reads, bench.stored()};
}

TEST(ZStencilOverwrite, AlwaysReadsNothingAndKeepsTheBytesBesideTheDepth) {
  for (const bool late : {false, true}) {
    auto state = plain_state();
    add_depth(*state, Compare::kAlways, true, late ? DepthMode::kLate : DepthMode::kEarly);
    const Outcome outcome = draw(*state, late);
    EXPECT_EQ(outcome.reads, 0u);
    EXPECT_EQ(outcome.stored & 0xff000000, kStored & 0xff000000);
    EXPECT_NEAR(outcome.stored & 0xffffff, kHalf, 1);
  }
}

TEST(ZStencilOverwrite, StencilThatIsReplacedIsNotRead) {
  for (const bool late : {false, true})
    for (const bool depth : {false, true}) {
      auto state = plain_state();
      add_depth(*state, Compare::kAlways, depth, late ? DepthMode::kLate : DepthMode::kEarly);
      use_stencil(*state, StencilOp::kReplace);
      const Outcome outcome = draw(*state, late);
      EXPECT_EQ(outcome.reads, 0u);
      EXPECT_EQ(outcome.stored >> 24, 0x3cu);
      EXPECT_NEAR(outcome.stored & 0xffffff, depth ? kHalf : kStored & 0xffffff, 1);
      use_stencil(*state, StencilOp::kZero);
      EXPECT_EQ(draw(*state, late).stored >> 24, 0u);
    }
}

// Quads that hierarchical Z has accepted pass unread, even where the stored depth is nearest.
TEST(ZStencilOverwrite, AcceptedQuadsReadNoDepth) {
  const auto draw_accepted = [](bool writes, bool accepted) {
    Bench bench;
    const std::vector<uint32_t> nearest(1 << 14, 0xa5000000);
    bench.memory.memory.write(messages::testing::kDepthAddress, nearest.data(), 4 * nearest.size());
    auto state = plain_state();
    add_depth(*state, Compare::kLess, writes);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    QuadMessage quad = messages::testing::quad(primitive, 0, 0, 0.5f);
    quad.accepted = accepted;
    bench.send(quad);
    bench.run(60);
    const uint64_t reads = bench.memory.reads, passed = bench.interpolator.received.size();
    bench.flush();
    return std::tuple(reads, passed, bench.stored());
  };
  EXPECT_EQ(draw_accepted(true, true), std::tuple(0u, 1u, 0xa5000000 | kHalf));
  EXPECT_EQ(draw_accepted(false, true), std::tuple(0u, 1u, 0xa5000000));
  const auto [reads, passed, stored] = draw_accepted(true, false);
  EXPECT_GT(reads, 0u);
  EXPECT_EQ(passed, 0u);
  EXPECT_EQ(stored, 0xa5000000);
}

TEST(ZStencilOverwrite, WhatDependsOnTheStoredValueReadsIt) {
  const auto reads = [](auto&& change) {
    auto state = plain_state();
    add_depth(*state, Compare::kAlways);
    use_stencil(*state, StencilOp::kReplace);
    change(*state);
    state->prepare();
    return draw(*state, false).reads;
  };
  EXPECT_EQ(reads([](auto&) {}), 0u);
  EXPECT_GT(reads([](auto& s) { s.registers.depth.back.write_mask = 0x7f; }), 0u);
  EXPECT_GT(
      reads([](auto& s) { s.registers.depth.back.pass = static_cast<uint32_t>(StencilOp::kIncrementWrap); }),
      0u);
  EXPECT_GT(reads([](auto& s) { s.registers.depth.back.compare = static_cast<uint32_t>(Compare::kEqual); }),
            0u);
  EXPECT_GT(
      reads([](auto& s) { s.registers.depth.depth_compare = static_cast<uint32_t>(Compare::kLessOrEqual); }),
      0u);
  EXPECT_GT(reads([](auto& s) { s.registers.depth.bounds_test = 1; }), 0u);
}

// Hierarchical Z needs the depths of a tile alone, not what lies beside them.
TEST(ZStencilOverwrite, HierarchicalZLearnsOfATileThatIsOverwrittenWhole) {
  for (const int32_t quads : {15, 16}) {
    Bench bench({.cache_lines = 4, .cache_ways = 4});
    fill(bench);
    auto state = plain_state();
    add_depth(*state, Compare::kAlways);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    for (int32_t i = 0; i < quads; i++)
      bench.send(messages::testing::quad(primitive, i % 4 * 2, i / 4 * 2, i == 3 ? 0.25f : 0.75f));
    for (int32_t tile = 1; tile < 5; tile++)
      bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
    bench.run(300);
    ASSERT_EQ(bench.updates.received.size(), quads == 16 ? 1u : 0u);
    if (quads < 16) continue;
    EXPECT_NEAR(bench.updates.received[0].second.least, 0.25f, 1e-6);
    EXPECT_NEAR(bench.updates.received[0].second.greatest, 0.75f, 1e-6);
  }
}

}  // namespace
}  // namespace cutaway::boxes::overwrite_test
