#include <gtest/gtest.h>

#include "boxes/hierarchical_z/hz_buffer.h"
#include "messages/testing/draws.h"

// Draws that compare against the direction of the bounds.
namespace cutaway::boxes::hz_flip_test {
namespace {

using Verdict = HzBuffer::Verdict;

// A surface of 64 x 64 pixels whose tiles are known to hold 0.5 after draws under LESS.
class Bench {
 public:
  explicit Bench(HzFlip flip, bool accepts = false) : buffer(memory, {8}, accepts, flip) {
    clear(1);
    for (int32_t x : {0, 8}) EXPECT_NE(draw(arch::Compare::kLess, 0.5f, true, x), Verdict::kRejected);
    learn(0), learn(8);
  }

  void clear(float depth) {
    arch::ClearPacket packet{};
    const auto state = messages::testing::plain_state();
    messages::testing::add_depth(*state, arch::Compare::kLess);
    packet.surface = state->registers.depth.surface;
    packet.width = packet.height = 64;
    packet.value[0] = std::bit_cast<uint32_t>(depth);
    EXPECT_EQ(buffer.clear(packet), 64u);
  }
  Verdict draw(arch::Compare compare, float z, bool writes, int32_t x = 0) {
    const auto state = messages::testing::plain_state();
    messages::testing::add_depth(*state, compare, writes);
    state->registers.depth.hierarchical_z = compare != arch::Compare::kAlways;
    messages::Pools pools;
    const auto primitive = messages::testing::cover(pools, *state, z);
    buffer.begin_draw(state->registers);
    return buffer.test(state->registers, primitive->primitive, x, 0);
  }
  HzBuffer::Outcome learn(int32_t x, float depth = 0.5f) {
    return buffer.update({.surface = messages::testing::kDepthAddress,
                          .x = x,
                          .least = depth,
                          .greatest = depth,
                          .epoch = buffer.epoch()});
  }
  bool hidden(arch::Compare compare, float z, int32_t x = 0) {
    return draw(compare, z, false, x) == Verdict::kRejected;
  }

  HzMemory memory{64, 1};
  HzBuffer buffer;
};

constexpr auto kLess = arch::Compare::kLess, kGreater = arch::Compare::kGreater;

TEST(HzFlip, ADrawThatStoresNothingKeepsBoundsOfTheOtherDirection) {
  for (const HzFlip flip : {HzFlip::kRelearn, HzFlip::kUntilClear, HzFlip::kTwoBounds}) {
    Bench bench(flip);
    EXPECT_TRUE(bench.hidden(kLess, 0.75f));
    EXPECT_FALSE(bench.hidden(kGreater, 0.75f));
    EXPECT_TRUE(bench.hidden(kLess, 0.75f)) << "nothing was stored";
    EXPECT_EQ(bench.hidden(kGreater, 0.25f), flip == HzFlip::kTwoBounds)
        << "the least depth is known with two bounds alone";
    EXPECT_TRUE(bench.hidden(kGreater, 0.75f, 16)) << "cleared to 1, and untouched since";
  }
}

TEST(HzFlip, RelearnOpensAllAndNarrowsInTheNewDirection) {
  Bench bench(HzFlip::kRelearn);
  EXPECT_NE(bench.draw(kGreater, 0.75f, true), Verdict::kRejected);
  EXPECT_FALSE(bench.hidden(kGreater, 0.25f));
  EXPECT_FALSE(bench.hidden(kLess, 0.9f, 8));
  bench.draw(kGreater, 0.75f, true);
  EXPECT_EQ(bench.learn(0, 0.75f), HzBuffer::Outcome::kNarrowed);
  EXPECT_TRUE(bench.hidden(kGreater, 0.25f));
}

TEST(HzFlip, UntilClearEveryTilePasses) {
  Bench bench(HzFlip::kUntilClear);
  EXPECT_NE(bench.draw(kGreater, 0.75f, true), Verdict::kRejected);
  EXPECT_EQ(bench.learn(0, 0.75f), HzBuffer::Outcome::kStale);
  for (const int32_t x : {0, 8, 16}) {
    EXPECT_FALSE(bench.hidden(kGreater, 0.25f, x)) << x;
    EXPECT_FALSE(bench.hidden(kLess, 1.0f, x)) << x;
  }
  bench.draw(kLess, 0.25f, true);
  EXPECT_EQ(bench.learn(0, 0.25f), HzBuffer::Outcome::kStale) << "the first direction does not help";
  bench.clear(0.5f);
  EXPECT_TRUE(bench.hidden(kLess, 0.75f));
  EXPECT_TRUE(bench.hidden(kGreater, 0.25f));
  bench.draw(kLess, 0.25f, true);
  EXPECT_EQ(bench.learn(0, 0.25f), HzBuffer::Outcome::kNarrowed);
  EXPECT_TRUE(bench.hidden(kLess, 0.375f));
}

TEST(HzFlip, TwoBoundsServeBothDirections) {
  Bench bench(HzFlip::kTwoBounds);
  // The tile holds 0.5, and may hold up to 0.75 after this.
  EXPECT_NE(bench.draw(kGreater, 0.75f, true), Verdict::kRejected);
  EXPECT_EQ(bench.learn(0), HzBuffer::Outcome::kStale) << "the draw's stores may still be in flight";
  EXPECT_TRUE(bench.hidden(kLess, 0.875f));
  EXPECT_FALSE(bench.hidden(kLess, 0.625f));
  EXPECT_TRUE(bench.hidden(kGreater, 0.25f));
  EXPECT_TRUE(bench.hidden(kLess, 0.625f, 8)) << "the draw did not touch this tile";
  // Depths that always pass may lie on either side.
  EXPECT_NE(bench.draw(arch::Compare::kAlways, 0.25f, true), Verdict::kRejected);
  EXPECT_FALSE(bench.hidden(kGreater, 0.375f));
  EXPECT_TRUE(bench.hidden(kGreater, 0.125f));
  // A report after a later draw narrows the greatest depth again.
  bench.draw(kLess, 0.125f, true);
  EXPECT_EQ(bench.learn(0, 0.25f), HzBuffer::Outcome::kNarrowed);
  EXPECT_TRUE(bench.hidden(kLess, 0.375f));
}

TEST(HzFlip, TwoBoundsAcceptInBothDirections) {
  Bench bench(HzFlip::kTwoBounds, true);
  EXPECT_EQ(bench.draw(kLess, 0.25f, false), Verdict::kAccepted);
  EXPECT_EQ(bench.draw(kGreater, 0.75f, false), Verdict::kAccepted);
}

}  // namespace
}  // namespace cutaway::boxes::hz_flip_test
