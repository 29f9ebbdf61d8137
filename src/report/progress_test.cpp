#include "report/progress.h"

#include <gtest/gtest.h>

namespace cutaway::report {
namespace {

std::string printed(Progress&& progress) {
  testing::internal::CaptureStderr();
  progress.update(0.5, "in frame 7");
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, TellsNowAndThenWhereThereIsNoTerminal) {
  using std::chrono::hours, std::chrono::milliseconds;
  EXPECT_EQ(printed(Progress(false, milliseconds(0))), "in frame 7\n");
  EXPECT_EQ(printed(Progress(false, hours(1))), "");
  EXPECT_EQ(printed(Progress(true, milliseconds(0))), "");
}

}  // namespace
}  // namespace cutaway::report
