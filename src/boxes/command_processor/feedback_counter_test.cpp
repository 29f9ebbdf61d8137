#include "boxes/command_processor/feedback_counter.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::feedback_counter_test {
namespace {

using Step = FeedbackCounter::Step;

TEST(FeedbackCounter, GoesFromReadToAnswer) {
  FeedbackCounter counter;
  EXPECT_EQ(counter.step(), Step::kRead);
  EXPECT_FALSE(counter.asks_unit());
  counter.read(480);
  EXPECT_EQ(counter.step(), Step::kOrder);
  EXPECT_EQ(counter.bytes(), 480u);
  EXPECT_FALSE(counter.asks_unit());
  counter.ordered();
  EXPECT_EQ(counter.step(), Step::kAnswer);
  EXPECT_TRUE(counter.asks_unit());
  counter.answered(96);
  EXPECT_EQ(counter.step(), Step::kEnd);
  EXPECT_TRUE(counter.asks_unit());
  EXPECT_EQ(counter.bytes(), 96u);
  counter.ended();
  EXPECT_EQ(counter.step(), Step::kRead);
  EXPECT_EQ(counter.bytes(), 0u);
}

TEST(FeedbackCounter, EmptiesBuffersOnceInASubmission) {
  FeedbackCounter counter;
  EXPECT_TRUE(counter.must_empty());
  counter.emptied();
  EXPECT_FALSE(counter.must_empty());
  counter.read(1), counter.ordered(), counter.answered(2), counter.ended();
  EXPECT_FALSE(counter.must_empty());
  counter.begin_submission();
  EXPECT_TRUE(counter.must_empty());
}

}  // namespace
}  // namespace cutaway::boxes::feedback_counter_test
