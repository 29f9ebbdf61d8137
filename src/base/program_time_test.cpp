#include "base/program_time.h"

#include <gtest/gtest.h>
#include <thread>

namespace cutaway {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

// Computes until the calling thread has spent so much CPU time.
void compute(uint64_t nanoseconds) {
  const auto spent = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000 * kMillisecond + static_cast<uint64_t>(time.tv_nsec);
  };
  for (const uint64_t end = spent() + nanoseconds; spent() < end;) {}
}

TEST(ProgramTime, CountsAllThreadsOfTheProgram) {
  const uint64_t begin = program_nanoseconds();
  compute(10 * kMillisecond);
  std::thread([] { compute(10 * kMillisecond); }).join();
  EXPECT_GE(program_nanoseconds() - begin, 20 * kMillisecond);
  EXPECT_LT(program_nanoseconds() - begin, 40 * kMillisecond);
}

TEST(ProgramTime, LeavesOutThreadsOfTheGpuAndWaits) {
  const uint64_t begin = program_nanoseconds();
  uint64_t meanwhile = 0;
  std::thread([&] {
    const GpuThread thread;
    compute(30 * kMillisecond);
    meanwhile = program_nanoseconds();
  }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LT(meanwhile - begin, 10 * kMillisecond);
  EXPECT_LT(program_nanoseconds() - begin, 10 * kMillisecond);
}

}  // namespace
}  // namespace cutaway
