#include "emulator/worker_team.h"

#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace cutaway::emulator::worker_team_test {
namespace {

using Help = WorkerTeam::Help;

// A clock that the test moves.
std::atomic<uint64_t> test_time = 0;
uint64_t test_clock() { return test_time; }

constexpr auto kNothing = [](uint32_t) {};

// Waits until `count` has reached `all`; false if that takes longer than anybody would wait.
bool reaches(const std::atomic<uint32_t>& count, uint32_t all) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (count < all) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(WorkerTeam, EveryWorkerTakesPartInEveryJob) {
  WorkerTeam team(4, Help::kAlways);
  for (uint32_t job = 1; job <= 2000; job++) {
    std::atomic<uint32_t> inside = 0;
    std::atomic<uint32_t> calls[4] = {};
    const auto work = [&](uint32_t worker, uint32_t) {
      calls[worker]++;
      inside++;
      return reaches(inside, 4);  // so that nobody takes two
    };
    ASSERT_EQ(team.run({.items = 4, .prepare = kNothing, .work = work}), 4u);
    for (const auto& count : calls) ASSERT_EQ(count, 1u);
  }
}

TEST(WorkerTeam, OneWorkerIsTheCaller) {
  WorkerTeam team(1, Help::kAlways);
  const auto caller = std::this_thread::get_id();
  uint32_t items = 0;
  const auto work = [&](uint32_t worker, uint32_t item) {
    EXPECT_EQ(worker, 0u);
    EXPECT_EQ(item, items++);
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return true;
  };
  EXPECT_EQ(team.run({.items = 3, .prepare = kNothing, .work = work}), 1u);
  EXPECT_EQ(items, 3u);
}

TEST(WorkerTeam, WorkThatIsAloneIsTheCallers) {
  WorkerTeam team(4, Help::kAlways);
  uint32_t items = 0;
  const auto work = [&](uint32_t worker, uint32_t) {
    EXPECT_EQ(worker, 0u);
    items++;
    return true;
  };
  EXPECT_EQ(team.run({.items = 100, .alone = true, .prepare = kNothing, .work = work}), 1u);
  EXPECT_EQ(items, 100u);
}

// Number of workers that the team prepares for `items` items of `nanoseconds` each, on the test's clock.
uint32_t prepared(uint32_t workers, uint32_t items, uint64_t nanoseconds) {
  WorkerTeam team(workers, Help::kWhenWorth, test_clock);
  std::vector<uint32_t> numbers;
  std::vector<std::atomic<uint32_t>> done(items);
  const auto work = [&](uint32_t, uint32_t item) {
    done[item]++;
    test_time += nanoseconds;
    return true;
  };
  const uint32_t all =
      team.run({.items = items, .prepare = [&](uint32_t w) { numbers.push_back(w); }, .work = work});
  EXPECT_EQ(numbers.size(), all);
  for (uint32_t i = 0; i < numbers.size(); i++) EXPECT_EQ(numbers[i], i);
  for (const auto& count : done) EXPECT_EQ(count, 1u);
  return all;
}

TEST(WorkerTeam, WakesNobodyForLittleWork) {
  constexpr uint64_t kWorth = WorkerTeam::kWorthWaking;
  EXPECT_EQ(prepared(4, 1000, 0), 1u);
  EXPECT_EQ(prepared(4, 1, 100 * kWorth), 1u);
  EXPECT_EQ(prepared(4, 2, kWorth - 1), 1u);
  EXPECT_EQ(prepared(4, 5, kWorth / 4 - 1), 1u);
}

TEST(WorkerTeam, WakesAsManyAsTheRestIsWorth) {
  constexpr uint64_t kWorth = WorkerTeam::kWorthWaking;
  EXPECT_EQ(prepared(4, 2, kWorth), 2u);
  EXPECT_EQ(prepared(4, 5, kWorth / 4), 2u);
  EXPECT_EQ(prepared(8, 5, kWorth / 4 * 3), 4u);
  EXPECT_EQ(prepared(8, 3, 100 * kWorth), 3u);  // one for each of the items that are left
  EXPECT_EQ(prepared(4, 100, 100 * kWorth), 4u);
}

TEST(WorkerTeam, WokenThreadsTakeItems) {
  WorkerTeam team(3, Help::kWhenWorth, test_clock);
  std::atomic<uint32_t> inside = 0;
  const auto work = [&](uint32_t, uint32_t item) {
    test_time += 100 * WorkerTeam::kWorthWaking;
    if (item == 0) return true;  // before the others are woken
    inside++;
    return reaches(inside, 3);
  };
  EXPECT_EQ(team.run({.items = 4, .prepare = kNothing, .work = work}), 3u);
  EXPECT_EQ(inside, 3u);
}

TEST(WorkerTeam, ThreadsThatComeLateHoldNobodyUp) {
  WorkerTeam team(8, Help::kWhenWorth, test_clock);
  for (uint32_t job = 0; job < 5000; job++) {
    std::atomic<uint32_t> done = 0;
    const auto work = [&](uint32_t, uint32_t) {
      test_time += 100 * WorkerTeam::kWorthWaking;
      done++;
      return true;
    };
    ASSERT_EQ(team.run({.items = 9, .prepare = kNothing, .work = work}), 8u);
    ASSERT_EQ(done, 9u);
  }
}

TEST(WorkerTeam, HandsOutNoItemAfterOneThatStops) {
  for (const Help help : {Help::kWhenWorth, Help::kAlways}) {
    WorkerTeam team(2, help, test_clock);
    std::atomic<uint32_t> done = 0;
    const auto work = [&](uint32_t, uint32_t item) {
      done++;
      return item != 3;
    };
    team.run({.items = 1000000, .prepare = kNothing, .work = work});
    EXPECT_GE(done, 4u);
    EXPECT_LT(done, 1000000u);
    if (help == Help::kWhenWorth) { EXPECT_EQ(done, 4u); }
  }
}

TEST(WorkerTeam, RethrowsWhatAnyWorkerThrows) {
  WorkerTeam team(2, Help::kAlways);
  for (const uint32_t thrower : {0u, 1u}) {
    std::atomic<uint32_t> inside = 0;
    const auto work = [&](uint32_t worker, uint32_t) -> bool {
      inside++;
      reaches(inside, 2);
      if (worker == thrower) throw std::runtime_error("thrown");
      return true;
    };
    EXPECT_THROW(team.run({.items = 2, .prepare = kNothing, .work = work}), std::runtime_error);
    const auto nothing = [](uint32_t, uint32_t) { return true; };
    EXPECT_EQ(team.run({.items = 2, .prepare = kNothing, .work = nothing}), 2u);
  }
}

}  // namespace
}  // namespace cutaway::emulator::worker_team_test
