#include "host/host_trace.h"

#include <gtest/gtest.h>

namespace cutaway::host::host_trace_test {
namespace {

using Steps = std::vector<std::pair<uint64_t, uint64_t>>;

struct Bench {
  uint64_t time = 1000;
  HostTrace trace{[this] { return time; }};

  Steps push() {
    Steps steps;
    for (const arch::HostStep& step : trace.push()) steps.emplace_back(step.nanoseconds, step.awaited);
    return steps;
  }
  // Waits, while others of the program compute.
  void wait(uint64_t submission, uint64_t meanwhile = 0) {
    const HostTrace::Entry entry = trace.enter();
    time += meanwhile;
    trace.waited(entry, submission);
  }
};

TEST(HostTrace, CountsFromItsBeginningAndFromEachPush) {
  Bench bench;
  bench.time += 5;
  EXPECT_EQ(bench.push(), (Steps{{5, 0}}));
  bench.time += 7;
  EXPECT_EQ(bench.push(), (Steps{{7, 0}}));
  EXPECT_EQ(bench.push(), (Steps{{0, 0}}));
}

TEST(HostTrace, TellsTheTimeBeforeAndAfterAWait) {
  Bench bench;
  bench.time += 5;
  bench.wait(3);
  bench.time += 2;
  bench.wait(4, 10);
  EXPECT_EQ(bench.push(), (Steps{{5, 3}, {2, 4}, {10, 0}}));
}

TEST(HostTrace, LeavesOutWaitsForWhatIsKnownToHaveEnded) {
  Bench bench;
  bench.wait(3);
  bench.time += 2;
  bench.wait(3), bench.wait(2), bench.wait(0);
  EXPECT_EQ(bench.push(), (Steps{{0, 3}, {2, 0}}));
}

TEST(HostTrace, LeavesOutWaitsBesideWhichOthersPush) {
  Bench bench;
  const HostTrace::Entry entry = bench.trace.enter();
  bench.time += 4;
  EXPECT_EQ(bench.push(), (Steps{{4, 0}}));
  bench.time += 1;
  bench.trace.waited(entry, 1);
  EXPECT_EQ(bench.push(), (Steps{{1, 0}}));
}

}  // namespace
}  // namespace cutaway::host::host_trace_test
