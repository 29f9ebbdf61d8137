#include "boxes/z_stencil/sample_split.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::sample_split_test {
namespace {

TEST(SampleSplit, GivesEachLiveSampleATestInRisingOrder) {
  SampleSplit split;
  const func::QuadSamples alive = 0x00f1'0200;  // lanes of samples 2, 4 and 5
  EXPECT_FALSE(split.begun());
  SampleSplit::Test test = split.next(alive);
  EXPECT_EQ(test.sample, 2u);
  EXPECT_FALSE(test.last);
  EXPECT_TRUE(split.begun());
  test = split.next(alive);
  EXPECT_EQ(test.sample, 4u);
  EXPECT_FALSE(test.last);
  test = split.next(alive);
  EXPECT_EQ(test.sample, 5u);
  EXPECT_TRUE(test.last);
  EXPECT_FALSE(split.begun());
  EXPECT_EQ(split.next(0xf).sample, 0u) << "of the next quad";
}

// The quad changes with its last test alone, by all of them; nothing of it is left for the next quad.
TEST(SampleSplit, CollectsWhatPasses) {
  auto state = messages::testing::plain_state();
  state->samples = 4;
  SampleSplit split;
  messages::QuadMessage quad;
  quad.state = state.get();
  quad.alive = 0x0f0f, quad.mask = 15;
  split.note(quad, 0, false, 1);
  EXPECT_EQ(quad.alive, 0x0f0fu);
  EXPECT_EQ(quad.mask, 15);
  split.note(quad, 2, true, 3);
  EXPECT_EQ(quad.alive, 0x0301u);
  EXPECT_EQ(quad.mask, 3);

  messages::QuadMessage next;
  next.state = state.get();
  next.alive = 0xffff, next.mask = 15;
  split.note(next, 1, true, 8);
  EXPECT_EQ(next.alive, 0x0080u);
  EXPECT_EQ(next.mask, 8);
}

TEST(SampleSplit, MasksLanesOfOneSample) {
  auto state = messages::testing::plain_state();
  SampleSplit split;
  messages::QuadMessage quad;
  quad.state = state.get();
  quad.mask = 7;
  split.note(quad, 0, true, 14);
  EXPECT_EQ(quad.mask, 6);
}

}  // namespace
}  // namespace cutaway::boxes::sample_split_test
