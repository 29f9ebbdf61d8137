#include "boxes/dac/refresh.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::refresh_test {
namespace {

// 0.7 MHz and 60 Hz: 11,666 2/3 cycles.
TEST(Refresh, RetracesKeepTheirRate) {
  const Refresh screen(60, 5, 0.7);
  EXPECT_EQ(screen.next(0), 0u);
  EXPECT_EQ(screen.next(1), 11'667u);
  EXPECT_EQ(screen.next(11'667), 11'667u);
  EXPECT_EQ(screen.next(11'668), 23'334u);
  EXPECT_EQ(screen.next(23'335), 35'000u) << "not three times 11,667";
  EXPECT_EQ(screen.next(60 * 11'666), 700'000u) << "60 in a second";
}

TEST(Refresh, RowsAreSpreadOverThePictureWithoutTheBlanking) {
  const Refresh screen(100, 20, 1);
  EXPECT_EQ(screen.row_due(30'000, 0, 4), 30'000u);
  EXPECT_EQ(screen.row_due(30'000, 1, 4), 32'000u);
  EXPECT_EQ(screen.row_due(30'000, 3, 4), 36'000u);
  EXPECT_EQ(screen.picture_end(30'000), 38'000u);
}

TEST(Refresh, WithoutBlankingAPictureEndsWithTheRetrace) {
  const Refresh screen(60, 0, 0.7);  // 11,666.7 cycles
  for (const engine::Cycle retrace : {0u, 11'667u, 23'334u})
    EXPECT_EQ(screen.picture_end(retrace), screen.next(retrace + 1));
}

TEST(Refresh, TellsTheRefreshUnderWay) {
  const Refresh screen(60, 5, 0.7);
  EXPECT_EQ(screen.last(0), 0u);
  EXPECT_EQ(screen.last(11'666), 0u);
  EXPECT_EQ(screen.last(11'667), 11'667u);
  EXPECT_EQ(screen.last(34'999), 23'334u);
  EXPECT_EQ(screen.last(35'000), 35'000u);
}

TEST(Refresh, FindsTheNextRow) {
  const Refresh screen(100, 20, 1);  // rows of 2,000 cycles
  const auto row = [&](engine::Cycle now) { return screen.next_row(now, 4); };
  EXPECT_EQ(row(30'000).row, 0u);
  EXPECT_EQ(row(30'001).row, 1u);
  EXPECT_EQ(row(30'001).due, 32'000u);
  EXPECT_EQ(row(36'000).row, 3u);
  EXPECT_EQ(row(36'000).retrace, 30'000u);
  for (const engine::Cycle now : {36'001u, 38'500u, 40'000u}) {
    EXPECT_EQ(row(now).row, 0u) << now;
    EXPECT_EQ(row(now).retrace, 40'000u);
    EXPECT_EQ(row(now).due, 40'000u);
  }
}

TEST(Refresh, NoRateMeansNoRetraces) {
  EXPECT_FALSE(Refresh(0, 5, 400).on());
  EXPECT_TRUE(Refresh(1e6, 5, 1).on());
  EXPECT_EQ(Refresh(1e6, 5, 1).next(17), 17u) << "a retrace in each cycle";
}

}  // namespace
}  // namespace cutaway::boxes::refresh_test
