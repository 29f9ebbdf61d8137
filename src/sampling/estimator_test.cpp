#include "sampling/estimator.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numbers>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

using ::testing::ElementsAre;

TEST(Student, BoundsAreThoseOfTables) {
  EXPECT_NEAR(student_bound(1, 0.95), 12.7062, 1e-4);
  EXPECT_NEAR(student_bound(2, 0.95), 4.3027, 1e-4);
  EXPECT_NEAR(student_bound(10, 0.95), 2.2281, 1e-4);
  EXPECT_NEAR(student_bound(10, 0.99), 3.1693, 1e-4);
  EXPECT_NEAR(student_bound(1e6, 0.95), 1.95996, 1e-4);
  EXPECT_NEAR(student_bound(1, 0.5), 1, 1e-9);  // of Cauchy's distribution: tan(π / 4)
}

// Three of 10 frames were drawn: 10² × (1 - 0.3) × 1 / 3 is the variance of the total.
TEST(StratifiedTotal, OfOneStratumIsTheClosedForm) {
  const StratumSample stratum{10, {1, 2, 3}};
  const Estimate estimate = stratified_total({&stratum, 1}, 0.95);
  EXPECT_DOUBLE_EQ(estimate.value, 20);
  EXPECT_DOUBLE_EQ(estimate.freedom, 2);
  EXPECT_NEAR(estimate.bound, 4.30265 * std::sqrt(70.0 / 3), 1e-3);
}

TEST(StratifiedTotal, AddsVariancesOfStrata) {
  const StratumSample strata[] = {{10, {1, 2, 3}}, {10, {11, 12, 13}}, {2, {5, 9}}};
  const Estimate estimate = stratified_total(strata, 0.95);
  EXPECT_DOUBLE_EQ(estimate.value, 20 + 120 + 14);
  EXPECT_NEAR(estimate.freedom, 4, 1e-12);
  EXPECT_NEAR(estimate.bound, 2.77645 * std::sqrt(140.0 / 3), 1e-3);
}

// A regression has spent one of the four degrees of freedom.
TEST(StratifiedTotal, OfResidualsHasFewerDegreesOfFreedom) {
  const StratumSample strata[] = {{10, {1, 2, 3}}, {10, {11, 12, 13}}};
  EXPECT_NEAR(stratified_total(strata, 0.95, 1).freedom, 3, 1e-12);
  EXPECT_EQ(stratified_total(strata, 0.95, 9).freedom, 1);
}

TEST(StratifiedTotal, OfAllFramesIsExact) {
  const StratumSample strata[] = {{3, {1, 2, 3}}, {1, {100}}};
  const Estimate estimate = stratified_total(strata, 0.95);
  EXPECT_EQ(estimate.value, 106);
  EXPECT_EQ(estimate.bound, 0);
  EXPECT_EQ(estimate.share(), 0);
}

TEST(StratifiedTotal, OfOneValueForManyFramesIsADefect) {
  const StratumSample stratum{10, {1}};
  EXPECT_ANY_THROW(stratified_total({&stratum, 1}, 0.95));
}

TEST(SingleFrame, HasTheBoundOfOneMoreValue) {
  const Estimate estimate = single_frame({10, {1, 2, 3}}, 0.95);
  EXPECT_DOUBLE_EQ(estimate.value, 2);
  EXPECT_NEAR(estimate.bound, 4.30265 * std::sqrt(4.0 / 3), 1e-3);
  EXPECT_TRUE(std::isinf(single_frame({10, {5}}, 0.95).bound));
}

// N s is 100 × 1 and 100 × 3: a quarter and three quarters of the frames.
TEST(Allocate, IsNeymans) {
  const double root = std::sqrt(1.5);  // {-1, 0, 1} × root twice has variance 1.2
  StratumSample a{100, {}}, b{100, {}};
  for (const double value : {-1.0, 0.0, 1.0, -1.0, 0.0, 1.0})
    a.values.push_back(100 + value * root), b.values.push_back(100 + 3 * value * root);
  const StratumSample strata[] = {a, b};
  const double bound = stratified_total(strata, 0.95).bound;
  const std::vector<uint64_t> counts = allocate(strata, bound / 1.2, 0.95);
  EXPECT_EQ(counts[0], 6);
  EXPECT_GT(counts[1], 8);
  EXPECT_LE(counts[0] + counts[1], 18);
}

TEST(Allocate, AddsOneAtLeastAndHalfAtMost) {
  const StratumSample strata[] = {{100, {5, 5, 5}}, {100, {1, 2, 3}}};
  EXPECT_THAT(allocate(strata, 1e9, 0.95), ElementsAre(3, 4));
  EXPECT_THAT(allocate(strata, 1e-9, 0.95), ElementsAre(3, 6));
}

TEST(Allocate, StopsWhereAllFramesAreDrawn) {
  const StratumSample strata[] = {{3, {1, 2, 3}}, {4, {1, 2, 3}}};
  EXPECT_THAT(allocate(strata, 1e-9, 0.95), ElementsAre(3, 4));
  const StratumSample whole[] = {{3, {1, 2, 3}}};
  EXPECT_THAT(allocate(whole, 1e-9, 0.95), ElementsAre(3));
}

// Three kinds of frames, each with normally distributed cycles.
struct Population {
  std::vector<std::vector<double>> strata;
  double total = 0;

  explicit Population(Random& random) {
    const double means[] = {1e6, 2e5, 5e5}, deviations[] = {5e4, 1e4, 1e5};
    const size_t sizes[] = {120, 300, 40};
    for (size_t h = 0; h < 3; h++) {
      std::vector<double>& frames = strata.emplace_back();
      for (size_t i = 0; i < sizes[h]; i++) {
        const double normal =
            std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
        total += frames.emplace_back(means[h] + deviations[h] * normal);
      }
    }
  }
  std::vector<StratumSample> first(const std::vector<uint64_t>& counts) const {
    std::vector<StratumSample> samples;
    for (size_t h = 0; h < strata.size(); h++)
      samples.push_back({strata[h].size(),
                         {strata[h].begin(), strata[h].begin() + static_cast<std::ptrdiff_t>(counts[h])}});
    return samples;
  }
};

// About 950 intervals of 1,000 samples hold the truth: 950 ± 3 × √47.5.
TEST(Coverage, OfAFixedSampleIsTheConfidence) {
  Random random(7);
  Population population(random);
  int covered = 0;
  for (int draw = 0; draw < 1000; draw++) {
    for (std::vector<double>& frames : population.strata) random.shuffle(frames);
    const Estimate estimate = stratified_total(population.first({6, 6, 6}), 0.95);
    covered += std::abs(estimate.value - population.total) <= estimate.bound;
  }
  EXPECT_GE(covered, 929);
  EXPECT_LE(covered, 985);  // Satterthwaite's degrees err on the safe side
}

// Drawing more until the interval is narrow enough stops rather where the deviations are underestimated: at a
// confidence of 95 % only 91 % of the intervals would hold the truth.
TEST(Coverage, OfASampleInRoundsIsTheConfidence) {
  const double confidence = confidence_in_rounds(0.95);
  Random random(8);
  Population population(random);
  int covered = 0;
  double drawn = 0;
  for (int draw = 0; draw < 1000; draw++) {
    for (std::vector<double>& frames : population.strata) random.shuffle(frames);
    std::vector<uint64_t> counts{8, 8, 8};
    for (;;) {
      const std::vector<StratumSample> samples = population.first(counts);
      const Estimate estimate = stratified_total(samples, confidence);
      if (estimate.share() <= 0.02) {
        covered += std::abs(estimate.value - population.total) <= estimate.bound;
        break;
      }
      counts = allocate(samples, 0.02 * estimate.value, confidence);
    }
    drawn += static_cast<double>(counts[0] + counts[1] + counts[2]) / 1000;
  }
  EXPECT_GE(covered, 929);
  EXPECT_LE(covered, 985);
  EXPECT_LT(drawn, 60);  // of 460
}

}  // namespace
}  // namespace cutaway::sampling
