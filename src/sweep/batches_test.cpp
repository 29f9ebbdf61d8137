#include "sweep/batches.h"

#include <gmock/gmock.h>

namespace cutaway::sweep {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Point> points(uint64_t frame, int first, int last) {
  std::vector<Point> points;
  for (int i = first; i <= last; i++) {
    Point& point = points.emplace_back();
    point.frame = frame, point.hash = std::to_string(i);
  }
  return points;
}

std::vector<Point> operator+(std::vector<Point> a, const std::vector<Point>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Batches, PointsOfOneFrameFormABatch) {
  EXPECT_THAT(make_batches(points(1, 1, 2) + points(2, 3, 3) + points(1, 4, 4), 1),
              ElementsAre(ElementsAre("1", "2", "4"), ElementsAre("3")));
}

TEST(Batches, OneFrameIsDividedAmongTheJobs) {
  EXPECT_THAT(make_batches(points(1, 1, 6), 2),
              ElementsAre(ElementsAre("1", "5"), ElementsAre("2", "6"), ElementsAre("3"), ElementsAre("4")));
  EXPECT_THAT(make_batches(points(1, 1, 2), 8), ElementsAre(ElementsAre("1"), ElementsAre("2")));
}

// 9 frames and two jobs: four batches at least, so two frames in each that follow one another.
TEST(Batches, FramesThatFollowOneAnotherAreJoined) {
  std::vector<Point> of_frames;
  for (int frame = 1; frame <= 9; frame++)
    of_frames = of_frames + points(static_cast<uint64_t>(frame), frame, frame);
  EXPECT_THAT(make_batches(of_frames, 2),
              ElementsAre(ElementsAre("1", "2"), ElementsAre("3", "4"), ElementsAre("5", "6"),
                          ElementsAre("7", "8"), ElementsAre("9")));
  of_frames.erase(of_frames.begin() + 1);
  EXPECT_THAT(make_batches(of_frames, 2),
              ElementsAre(ElementsAre("1"), ElementsAre("3", "4"), ElementsAre("5", "6"),
                          ElementsAre("7", "8"), ElementsAre("9")));
}

TEST(Batches, ABatchHoldsAtMost16Frames) {
  std::vector<Point> of_frames;
  for (int frame = 1; frame <= 80; frame++)
    of_frames = of_frames + points(static_cast<uint64_t>(frame), frame, frame);
  const auto batches = make_batches(of_frames, 1);
  ASSERT_EQ(batches.size(), 5u);
  for (const auto& batch : batches) EXPECT_EQ(batch.size(), 16u);
}

TEST(Batches, WarmUpsAndCapturesAreNotMixed) {
  std::vector<Point> mixed = points(1, 1, 3);
  mixed[1].warmup = 1, mixed[2].capture.hash = "another";
  EXPECT_THAT(make_batches(mixed, 1), ElementsAre(ElementsAre("1"), ElementsAre("2"), ElementsAre("3")));
  EXPECT_THAT(make_batches({}, 2), IsEmpty());
}

}  // namespace
}  // namespace cutaway::sweep
