#include "sampling/clusters.h"

#include <algorithm>
#include <gmock/gmock.h>

#include "sampling/features.h"
#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

using ::testing::ElementsAre;

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

TEST(Points, AreSharesOfTheMeanOfTheirQuantity) {
  const FeatureTable table{
      .first_frame = 1,
      .frames = 2,
      .features = {{"a of 1", "a", {1, 3}}, {"a of 2", "a", {4, 0}}, {"b", "b", {6, 2}}}};
  EXPECT_THAT(points_of(table), ElementsAre(ElementsAre(0.25, 1, 1.5), ElementsAre(0.75, 0, 0.5)));
}

TEST(Points, KeepOnlyCoordinatesThatDiffer) {
  const Varying kept = varying({{1, 1, 0}, {1.0001, 1, 2}});
  EXPECT_THAT(kept.points, ElementsAre(ElementsAre(0), ElementsAre(2)));
  EXPECT_THAT(kept.deviations, ElementsAre(1));
}

}  // namespace
}  // namespace cutaway::sampling
