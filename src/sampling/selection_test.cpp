#include "sampling/selection.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

#include "sampling/walk_for_test.h"

namespace cutaway::sampling {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

FeatureTable table_of(std::vector<double> work) {
  return {.first_frame = 5, .frames = work.size(), .features = {{"work", "work", std::move(work)}}};
}

std::vector<double> alternating_work() {
  std::vector<double> work{900};
  for (int i = 0; i < 200; i++) work.push_back(i % 2 ? 10 : 1);
  return work;
}

TEST(Selection, HasAStratumForColdFramesAndOneForEachCluster) {
  Selection selection(table_of(alternating_work()), 1, 1);
  ASSERT_THAT(selection.strata(), SizeIs(3));
  EXPECT_TRUE(selection.strata()[0].certain);
  EXPECT_THAT(selection.strata()[0].frames, ElementsAre(5));
  for (const uint64_t frame : selection.strata()[1].frames) EXPECT_EQ(frame % 2, 0);
  const std::vector<uint64_t>& order = selection.strata()[1].frames;
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));  // drawn at random
  EXPECT_EQ(selection.strata()[1].drawn, kFewestDrawn);
  EXPECT_NEAR(selection.strata()[1].weight(), 100.0 / 8, 1e-12);
  EXPECT_THAT(selection.representatives(), SizeIs(17));
  EXPECT_THAT(selection.others(5), SizeIs(5));

  selection.draw({1, 2, 12});
  EXPECT_EQ(selection.strata()[1].drawn, kFewestDrawn);  // what was drawn stays
  EXPECT_EQ(selection.strata()[2].drawn, 12);
  selection.draw({1000, 1000, 1000});
  EXPECT_TRUE(selection.whole());
  EXPECT_THAT(selection.others(5), SizeIs(0));
}

// The first frame costs what its characteristics do not tell: a cold one teaches the regression nothing.
TEST(Selection, PredictsWarmFramesFromWarmFrames) {
  std::vector<double> work{900};
  for (int i = 0; i < 100; i++) work.push_back(10 + 0.01 * (i % 10));
  const Selection selection(table_of(work), 1, 1);
  ASSERT_THAT(selection.strata(), SizeIs(2));
  std::map<uint64_t, double> values{{5, 1e9}};
  for (size_t i = 1; i < work.size(); i++) values[5 + i] = 100 * work[i];
  const Prediction prediction = selection.predict(selection.regression(), values);
  EXPECT_EQ(prediction.by_frame[0], 0);
  EXPECT_THAT(prediction.residuals[0].values, ElementsAre(1e9));
  for (const double value : prediction.residuals[1].values) EXPECT_NEAR(value, 1004.5, 2);
  const Estimate total = prediction.total(0.95);
  EXPECT_NEAR(total.value, 1e9 + 100 * 1004.5, 100);
  EXPECT_LT(total.bound, 120);  // 250 without the regression
}

TEST(Selection, KnowsTheTotalWhereAllFramesAreDrawn) {
  const std::vector<double> work = alternating_work();
  Selection selection(table_of(work), 1, 1);
  selection.draw({1000, 1000, 1000});
  std::map<uint64_t, double> values;
  double total = 0;
  Random random(2);
  for (size_t i = 0; i < work.size(); i++) total += values[5 + i] = 1000 * random.unit();
  const Estimate estimate = selection.predict(selection.regression(), values).total(0.95);
  EXPECT_NEAR(estimate.value, total, 1e-9 * total);
  EXPECT_EQ(estimate.bound, 0);
}

TEST(Selection, SharesRepresentativesInProportionToWeightAndSize) {
  Selection selection(table_of(alternating_work()), 1, 1);
  std::map<uint64_t, double> sizes;
  for (const auto& [frame, weight] : selection.weights()) sizes[frame] = frame % 2 ? 10 : 1;
  EXPECT_THAT(selection.weights(), SizeIs(17));
  EXPECT_EQ(selection.weights().at(5), 1);  // the cold frame

  // A larger count adds frames; more representatives take few out.
  const std::vector<uint64_t> few = selection.shared(sizes, 4), more = selection.shared(sizes, 9);
  ASSERT_THAT(few, SizeIs(4));
  ASSERT_THAT(more, SizeIs(9));
  EXPECT_TRUE(std::includes(more.begin(), more.end(), few.begin(), few.end()));
  EXPECT_THAT(selection.shared(sizes, 1000), SizeIs(17));

  // The large group has ten times the size: it gives nearly all of 400 frames, and the cold frame, which
  // stands for itself alone, hardly any.
  std::map<uint64_t, double> all;
  for (uint64_t i = 0; i < 201; i++) all[5 + i] = i && i % 2 == 0 ? 10 : 1;
  int large = 0, cold = 0;
  for (uint64_t seed = 1; seed <= 200; seed++)
    for (const uint64_t frame : Selection(table_of(alternating_work()), 1, seed).shared(all, 2))
      large += frame % 2 && frame != 5, cold += frame == 5;
  EXPECT_GT(large, 330);
  EXPECT_LT(cold, 10);
}

// Samples in rounds, until the total is known to 2 %.
struct Rounds {
  double covered = 0,
         drawn = 0;  // share of the samples whose interval holds the truth; mean number of frames
};
Rounds sample_in_rounds(const FeatureTable& table, const std::vector<double>& cycles) {
  constexpr int kSamples = 200;
  const double confidence = confidence_in_rounds(0.95), error = 0.02;
  const double truth = std::accumulate(cycles.begin(), cycles.end(), 0.0);
  std::map<uint64_t, double> values;
  for (size_t i = 0; i < cycles.size(); i++) values[1 + i] = cycles[i];
  Rounds rounds;
  for (uint64_t seed = 1; seed <= kSamples; seed++) {
    Selection selection(table, 0, seed);
    for (;;) {
      const Prediction prediction = selection.predict(selection.regression(), values);
      const Estimate total = prediction.total(confidence);
      if (total.share() <= error) {
        rounds.covered += (std::abs(total.value - truth) <= total.bound + 1e-9 * truth) / double{kSamples};
        break;
      }
      selection.draw(allocate(prediction.residuals, error * total.value, confidence, prediction.parameters));
    }
    rounds.drawn += static_cast<double>(selection.representatives().size()) / kSamples;
  }
  return rounds;
}

TEST(SelectionCoverage, OfALinearCostIsTheConfidence) {
  Random random(11);
  const Walk walk(random);
  std::vector<double> cycles;
  for (size_t i = 0; i < walk.plain.size(); i++)
    cycles.push_back(0.3 * walk.vertices[i] + walk.plain[i] + 2 * walk.glass[i] + 0.03 * normal(random));
  const Rounds rounds = sample_in_rounds(walk.table, cycles);
  EXPECT_GE(rounds.covered, kLeastCovered);
  EXPECT_LT(rounds.drawn, 60);  // of 200
}

// The slower of two units decides: the regression is wrong, and the intervals become wider.
TEST(SelectionCoverage, OfACostThatIsNotLinearIsTheConfidence) {
  Random random(12);
  const Walk walk(random);
  std::vector<double> cycles;
  for (size_t i = 0; i < walk.plain.size(); i++)
    cycles.push_back(std::max(walk.vertices[i], walk.plain[i] * walk.plain[i] + 3 * walk.glass[i]) +
                     0.03 * normal(random));
  const Rounds rounds = sample_in_rounds(walk.table, cycles);
  EXPECT_GE(rounds.covered, kLeastCovered);
  EXPECT_LT(rounds.drawn, 100);
}

// Five frames copy and cost four times as much: their group is simulated as a whole.
TEST(SelectionCoverage, WithFewCostlyFramesIsTheConfidence) {
  Random random(13);
  const Walk walk(random);
  std::vector<double> cycles;
  for (size_t i = 0; i < walk.plain.size(); i++)
    cycles.push_back(walk.plain[i] + walk.glass[i] + 4 * walk.copied[i] + 0.03 * normal(random));
  const Rounds rounds = sample_in_rounds(walk.table, cycles);
  EXPECT_GE(rounds.covered, kLeastCovered);
  EXPECT_LT(rounds.drawn, 80);
}

// A cost that no characteristic tells: a sample without a regression would need as many frames.
TEST(SelectionCoverage, OfACostThatNothingTellsIsTheConfidence) {
  Random random(14);
  const Walk walk(random);
  std::vector<double> cycles;
  for (size_t i = 0; i < walk.plain.size(); i++) cycles.push_back(1 + 0.08 * normal(random));
  EXPECT_GE(sample_in_rounds(walk.table, cycles).covered, kLeastCovered);
}

}  // namespace
}  // namespace cutaway::sampling
