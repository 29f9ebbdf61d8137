#include "report/progress.h"

#include <gtest/gtest.h>
#include <thread>

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

TEST(Progress, TellsTheTimeLeftByWhatHasBeenDone) {
  using std::chrono::milliseconds, std::chrono::duration;
  Progress progress(true);
  const auto wait = [](int count) { std::this_thread::sleep_for(milliseconds(count)); };
  progress.update(0.2, "");  // part of it was done before
  EXPECT_FALSE(progress.seconds_left());
  wait(600);
  progress.update(0.5, "");
  // 0.3 of the work took at least 0.6 s, so 0.5 take at least 1 s.
  ASSERT_TRUE(progress.seconds_left());
  EXPECT_GE(*progress.seconds_left(), 1.0);
  const double before = *progress.seconds_left();
  wait(200);
  progress.leave_out(duration<double>(0.2));
  EXPECT_NEAR(*progress.seconds_left(), before, 1e-6);
  progress.update(0.5, "");  // as much was done as before the pause
  EXPECT_NEAR(*progress.seconds_left(), before, 0.15);
  progress.update(0.4, "");  // another task begins
  EXPECT_FALSE(progress.seconds_left());
  wait(600);
  progress.update(-1, "");  // unknown progress
  EXPECT_FALSE(progress.seconds_left());
}

}  // namespace
}  // namespace cutaway::report
