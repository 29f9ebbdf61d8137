#include "sampling/regression.h"

#include <cmath>
#include <gmock/gmock.h>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;

// The standardised characteristic is -√1.5, 0 and √1.5: the slope is 5 √1.5 ÷ (3 + 3).
TEST(Regression, OnOneCharacteristicIsTheClosedForm) {
  const Regression regression({{1}, {2}, {3}, {1}, {2}, {3}}, {0, 0, 0, 0, 0, 0}, {0, 1, 2});
  const std::vector<double> predictions = regression.predict(std::vector<double>{0, 1, 5});
  EXPECT_NEAR(predictions[3], -7.5 / 6, 1e-12);
  EXPECT_NEAR(predictions[4], 0, 1e-12);
  EXPECT_NEAR(predictions[5], 7.5 / 6, 1e-12);
  EXPECT_NEAR(regression.parameters(), 3.0 / 6, 1e-12);
}

// Both groups have the slope 5 √1.5 ÷ 3, whatever lies between them.
TEST(Regression, LearnsNothingFromDifferencesBetweenGroups) {
  const Regression regression({{1}, {2}, {3}, {11}, {12}, {13}}, {0, 0, 0, 1, 1, 1}, {0, 1, 2, 3, 4, 5});
  EXPECT_NEAR(regression.parameters(), 6.0 / 9, 1e-12);
  const std::vector<double> near = regression.predict(std::vector<double>{0, 1, 5, 0, 1, 5}),
                            far = regression.predict(std::vector<double>{0, 1, 5, -90, -89, -85});
  for (size_t i = 0; i < near.size(); i++) EXPECT_NEAR(near[i], far[i], 1e-9);
}

TEST(Regression, WithoutACharacteristicPredictsTheMean) {
  const Regression regression({{1}, {1}, {1}, {1}}, {0, 0, 0, 0}, {0, 1, 2});
  EXPECT_EQ(regression.characteristics(), 0);
  EXPECT_EQ(regression.parameters(), 0);
  const double wider = 3 * (std::sqrt(1.5) - 1);  // a mean of three, left out one
  EXPECT_THAT(regression.predict(std::vector<double>{3, 6, 9}),
              ElementsAre(DoubleNear(wider, 1e-12), 0, DoubleNear(-wider, 1e-12), 0));
}

TEST(Regression, TakesGroupsOfOneFrameAndOfNone) {
  const Regression regression({{1}, {2}, {3}, {40}, {50}}, {0, 0, 0, 1, 2}, {0, 2, 3});
  const std::vector<double> predictions = regression.predict(std::vector<double>{1, 3, 70});
  EXPECT_NEAR(predictions[1], 0, 1e-12);
  EXPECT_EQ(predictions[3], 0);
  EXPECT_EQ(predictions[4], 0);
  EXPECT_THAT(Regression({}, {}, {}).predict(std::vector<double>{}), ElementsAre());
}

// More characteristics than drawn frames.
class RandomRegression : public ::testing::Test {
 protected:
  RandomRegression() {
    Random random(4);
    for (int i = 0; i < 30; i++) {
      FramePoint& point = points.emplace_back();
      for (int j = 0; j < 12; j++) point.push_back(random.unit());
      values.push_back(10 * point[0] + point[1] * point[2]);
      groups.push_back(i < 18 ? 0 : 1);
    }
    random.shuffle(order);
  }
  std::vector<double> drawn_values() const {
    std::vector<double> drawn;
    for (const size_t i : order) drawn.push_back(values[i]);
    return drawn;
  }

  std::vector<FramePoint> points;
  std::vector<double> values;
  std::vector<uint32_t> groups;
  std::vector<size_t> order{3, 8, 9, 14, 20, 21, 25, 27, 29};
};

// A twin of each drawn frame is predicted by the fit, in which the frame takes part.
TEST_F(RandomRegression, WidensResidualsAndKeepsTheirMeans) {
  std::vector<FramePoint> twins = points;
  std::vector<uint32_t> their_groups = groups;
  twins.insert(twins.end(), points.begin(), points.end());
  their_groups.insert(their_groups.end(), groups.begin(), groups.end());
  const std::vector<double> drawn = drawn_values();
  const std::vector<double> predictions = Regression(twins, their_groups, order).predict(drawn);
  double honest[2] = {}, fitted[2] = {}, honest_squares = 0, fitted_squares = 0;
  for (size_t i = 0; i < order.size(); i++) {
    const double residual = drawn[i] - predictions[order[i]];
    const double of_fit = drawn[i] - predictions[order[i] + points.size()];
    honest[groups[order[i]]] += residual, fitted[groups[order[i]]] += of_fit;
  }
  for (const int group : {0, 1}) EXPECT_NEAR(honest[group], fitted[group], 1e-9);
  for (size_t i = 0; i < order.size(); i++) {
    const size_t group = groups[order[i]];
    const double mean = honest[group] / static_cast<double>(group ? 5 : 4);
    honest_squares += std::pow(drawn[i] - predictions[order[i]] - mean, 2);
    fitted_squares += std::pow(drawn[i] - predictions[order[i] + points.size()] - mean, 2);
  }
  EXPECT_GT(honest_squares, 1.2 * fitted_squares);
}

TEST_F(RandomRegression, PredictsSumsAsSumsOfPredictions) {
  const Regression regression(points, groups, order);
  const std::vector<double> drawn = drawn_values();
  std::vector<double> others, sums;
  for (const double value : drawn) others.push_back(value * value), sums.push_back(value + value * value);
  const std::vector<double> a = regression.predict(drawn), b = regression.predict(others),
                            sum = regression.predict(sums);
  for (size_t i = 0; i < points.size(); i++) EXPECT_NEAR(sum[i], a[i] + b[i], 1e-9);
}

TEST_F(RandomRegression, SpendsFewerParametersThanItHasFrames) {
  const Regression regression(points, groups, order);
  EXPECT_GT(regression.parameters(), 1);
  EXPECT_LT(regression.parameters(), static_cast<double>(order.size()) - 1);
}

TEST_F(RandomRegression, PredictsEqualValuesExactly) {
  EXPECT_THAT(Regression(points, groups, order).predict(std::vector<double>(order.size(), 1e12 + 7)),
              Each(0));
}

}  // namespace
}  // namespace cutaway::sampling
