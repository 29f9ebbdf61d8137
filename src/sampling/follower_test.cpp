#include "sampling/follower.h"

#include <cmath>
#include <gmock/gmock.h>

namespace cutaway::sampling {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// 40 frames of equal work, of which ten are drawn and four shared.
class FollowerTest : public ::testing::Test {
 protected:
  FollowerTest() {
    for (const auto& [frame, weight] : selection_.weights()) frames_.push_back(frame), ones_[frame] = 1;
    frames_.resize(4);
  }

  Values of(const std::vector<double>& values) const {
    Values made;
    for (size_t i = 0; i < values.size(); i++) made[frames_[i]] = values[i];
    return made;
  }
  Following follow_from(const std::vector<const Values*>& predictors, const Values& values) const {
    return follow({selection_, regression_, ones_, frames_}, predictors, values);
  }

  static Selection selection() {
    Selection selection(
        {.first_frame = 1, .frames = 40, .features = {{"a", "a", std::vector<double>(40, 1)}}}, 0, 1);
    selection.draw({10});
    return selection;
  }
  Selection selection_ = selection();
  Regression regression_ = selection_.regression();
  std::vector<uint64_t> frames_;
  Values ones_;  // sizes
};

// The pilot costs the same in all frames: the rest is a simple random sample of four.
TEST_F(FollowerTest, EstimatesAMeanAsASimpleSampleDoes) {
  const Following following = follow_from({&ones_}, of({1, 2, 3, 6}));
  EXPECT_THAT(following.slopes, ElementsAre(DoubleNear(3, 1e-12)));
  // Without a frame, the mean of the others misses it by 4/3 of its deviation.
  const double variance = (4 + 1 + 0 + 9) * 16.0 / 9 / 4;
  EXPECT_NEAR(following.variance, variance, 1e-12);
  const Estimate total = following.total(0.95);
  EXPECT_NEAR(total.value, 120, 1e-9);
  EXPECT_NEAR(total.freedom, 3, 1e-9);
  EXPECT_NEAR(total.bound, student_bound(3, 0.95) * 40 * std::sqrt(variance / 4), 1e-9);
  EXPECT_NEAR(following.rest_bound(2, 0.95), student_bound(3, 0.95) * 2 * std::sqrt(variance * 1.25), 1e-9);
}

// The interval of a function of pilots is theirs.
TEST_F(FollowerTest, FollowsALinearFunctionExactly) {
  Values pilot;
  for (const auto& [frame, weight] : selection_.weights()) pilot[frame] = static_cast<double>(frame % 7);
  Values values;
  for (const uint64_t frame : frames_) values[frame] = 5 + 2 * pilot[frame];
  const Following following = follow_from({&ones_, &pilot}, values);
  EXPECT_THAT(following.slopes, ElementsAre(DoubleNear(5, 1e-9), DoubleNear(2, 1e-9)));
  const Estimate of_pilot = selection_.predict(regression_, pilot).total(0.95), total = following.total(0.95);
  EXPECT_GT(of_pilot.bound, 0);
  EXPECT_NEAR(total.value, 200 + 2 * of_pilot.value, 1e-6);
  EXPECT_NEAR(total.bound, 2 * of_pilot.bound, 1e-6);
}

// Without that frame, the slope would be unknown.
TEST_F(FollowerTest, CountsAFrameThatAloneDecidesASlopeAsMissed) {
  Values pilot;
  pilot[frames_[2]] = 3;
  const Following following = follow_from({&pilot}, of({0, 0, 6, 0}));
  EXPECT_THAT(following.slopes, ElementsAre(DoubleNear(2, 1e-12)));
  EXPECT_NEAR(following.variance, 36.0 / 4, 1e-9);
}

TEST_F(FollowerTest, AddsTheMeanRestInProportionToSize) {
  Values pilot;
  for (const auto& [frame, size] : ones_) pilot[frame] = frame == frames_[2] ? 3 : 0;
  const Following following = follow_from({&pilot}, of({1, 1, 7, 1}));
  EXPECT_THAT(following.slopes, ElementsAre(DoubleNear(7.0 / 3, 1e-12)));
  EXPECT_NEAR(following.rest, 0.75, 1e-12);
  const Estimate of_pilot = selection_.predict(regression_, pilot).total(0.95);
  EXPECT_NEAR(following.total(0.95).value, 7.0 / 3 * of_pilot.value + 40 * 0.75, 1e-9);
}

TEST_F(FollowerTest, HasNoIntervalWhereNothingIsCounted) {
  const Following following = follow_from({&ones_}, {});
  EXPECT_EQ(following.total(0.95).value, 0);
  EXPECT_EQ(following.total(0.95).bound, 0);
}

}  // namespace
}  // namespace cutaway::sampling
