#include "sampling/clusters.h"

#include <algorithm>
#include <gmock/gmock.h>

#include "sampling/random.h"
#include "sampling/selection.h"

namespace cutaway::sampling {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Points around (0, 0), (10, 0) and (0, 10), in turn.
std::vector<FramePoint> three_groups(size_t each, double spread) {
  Random random(3);
  std::vector<FramePoint> points;
  for (size_t i = 0; i < 3 * each; i++)
    points.push_back({(i % 3 == 1 ? 10 : 0) + spread * (random.unit() - 0.5),
                      (i % 3 == 2 ? 10 : 0) + spread * (random.unit() - 0.5)});
  return points;
}

TEST(KMeans, FindsSeparateGroups) {
  const Clusters clusters = k_means(three_groups(20, 1), 3);
  ASSERT_EQ(clusters.count(), 3);
  for (size_t i = 0; i < 60; i++) EXPECT_EQ(clusters.of_frame[i], i % 3);
  EXPECT_NEAR(clusters.centers[1][0], 10, 0.3);
}

TEST(KMeans, SumsSquaresOfDistances) {
  const Clusters clusters = k_means({{0}, {2}, {10}, {14}}, 2);
  EXPECT_THAT(clusters.of_frame, ElementsAre(0, 0, 1, 1));
  EXPECT_DOUBLE_EQ(clusters.squares, 1 + 1 + 4 + 4);
}

TEST(KMeans, MakesNoClusterWithoutPoints) { EXPECT_EQ(k_means({{1}, {1}, {2}}, 3).count(), 2); }

TEST(KMeans, IsEqualForEqualSeeds) {
  const std::vector<FramePoint> points = three_groups(30, 12);
  EXPECT_EQ(k_means(points, 7, 5).of_frame, k_means(points, 7, 5).of_frame);
}

std::function<bool(const Clusters&)> up_to(uint32_t count) {
  return [count](const Clusters& clusters) { return clusters.count() <= count; };
}

TEST(Cluster, ChoosesTheNumberOfGroups) { EXPECT_EQ(cluster(three_groups(40, 1), up_to(12)).count(), 3); }

TEST(Cluster, MakesNoMoreThanIsAffordable) { EXPECT_EQ(cluster(three_groups(40, 1), up_to(2)).count(), 2); }

TEST(Cluster, LeavesOneGroupWhole) {
  Random random(9);
  std::vector<FramePoint> points;
  for (int i = 0; i < 100; i++) {
    FramePoint& point = points.emplace_back();
    for (int j = 0; j < 4; j++) {
      double sum = 0;
      for (int k = 0; k < 12; k++) sum += random.unit();
      point.push_back(sum);
    }
  }
  EXPECT_EQ(cluster(points, up_to(10)).count(), 1);
}

TEST(Cluster, DoesNotTellApartWhatDiffersByLessThanAThousandth) {
  EXPECT_EQ(cluster({{1, 1}, {1.0001, 1}, {1, 1.0002}, {1.0002, 1}}, up_to(4)).count(), 1);
}

FeatureTable table_of(std::vector<double> cycles) {
  return {.first_frame = 5, .frames = cycles.size(), .features = {{"work", "work", std::move(cycles)}}};
}

TEST(Points, AreSharesOfTheMeanOfTheirQuantity) {
  const FeatureTable table{
      .first_frame = 1,
      .frames = 2,
      .features = {{"a of 1", "a", {1, 3}}, {"a of 2", "a", {4, 0}}, {"b", "b", {6, 2}}}};
  EXPECT_THAT(points_of(table), ElementsAre(ElementsAre(0.25, 1, 1.5), ElementsAre(0.75, 0, 0.5)));
}

TEST(Selection, HasAStratumForColdFramesAndOneForEachCluster) {
  std::vector<double> work{900};
  for (int i = 0; i < 40; i++) work.push_back(i % 2 ? 10 : 1);
  Selection selection(table_of(work), 1, 1);
  ASSERT_THAT(selection.strata(), SizeIs(3));
  EXPECT_TRUE(selection.strata()[0].certain);
  EXPECT_THAT(selection.strata()[0].frames, ElementsAre(5));
  for (const uint64_t frame : selection.strata()[1].frames) EXPECT_EQ(frame % 2, 0);
  const std::vector<uint64_t>& order = selection.strata()[1].frames;
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));  // drawn at random
  EXPECT_EQ(selection.strata()[1].drawn, 4);
  EXPECT_NEAR(selection.strata()[1].weight(), 20.0 / 4, 1e-12);
  EXPECT_THAT(selection.representatives(), SizeIs(9));
  EXPECT_THAT(selection.others(5), SizeIs(5));

  selection.draw({1, 2, 8});
  EXPECT_EQ(selection.strata()[1].drawn, 4);  // what was drawn stays
  EXPECT_EQ(selection.strata()[2].drawn, 8);
  selection.draw({100, 100, 100});
  EXPECT_TRUE(selection.whole());
  EXPECT_THAT(selection.others(5), SizeIs(0));
}

}  // namespace
}  // namespace cutaway::sampling
