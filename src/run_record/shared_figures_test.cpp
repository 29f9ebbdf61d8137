#include "run_record/shared_figures.h"

#include <gtest/gtest.h>

namespace cutaway::run_record {
namespace {

TEST(SharedFigures, SharesOfAProgramsTimeSumToOne) {
  const SharedFigures::Program program{
      .frames = {{1, 0, 100, 50}},
      .waited = 30,
      .host = SharedFigures::Host{.computed = 60, .alone = 15, .interrupts = 5}};
  const auto shares = program.shares();
  ASSERT_TRUE(shares);
  EXPECT_DOUBLE_EQ(shares->host, 0.2);
  EXPECT_DOUBLE_EQ(shares->others, 0.3);
  EXPECT_DOUBLE_EQ(shares->gpu, 0.5);
}

TEST(SharedFigures, ALostProgramsTimeEndsWithIt) {
  const SharedFigures::Program program{.waited = 10, .lost = SharedFigures::Lost{1, 40, "it hangs"}};
  EXPECT_DOUBLE_EQ(program.shares()->others, 0.25);
  EXPECT_FALSE(SharedFigures::Program{}.shares());
}

TEST(SharedFigures, CyclesWithoutASubmissionAreTheHosts) {
  SharedFigures run{.cycles = 100, .together = {.draws = 60}, .alone = {.draws = 50}};
  run.programs.push_back({.frames = {{1, 0, 100, 70}}});
  EXPECT_FALSE(run.host_cycles());
  run.programs[0].host.emplace();
  EXPECT_EQ(run.host_cycles()->together, 40u);
  EXPECT_EQ(run.host_cycles()->alone, 20u);
}

}  // namespace
}  // namespace cutaway::run_record
