#include "replay/worker_pool.h"

#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"

namespace cutaway::replay {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Pool {
  std::vector<std::pair<uint64_t, std::string>> results;
  std::vector<uint64_t> progress;
  WorkerPool pool;

  explicit Pool(unsigned jobs)
      : pool(jobs,
             {.on_progress = [this](uint64_t, uint64_t value, double) { progress.push_back(value); },
              .on_result = [this](uint64_t item,
                                  std::string result) { results.emplace_back(item, std::move(result)); }}) {}

  template <class Error>
  std::string error_of(const WorkerPool::Work& work) {
    try {
      pool.start(7, work);
      pool.wait();
    } catch (const Error& error) { return error.what(); }
    return "no such error";
  }
};

TEST(WorkerPool, HandsOverEveryResult) {
  for (unsigned jobs : {1u, 3u}) {
    Pool p(jobs);
    for (uint64_t item = 1; item <= 4; item++)
      p.pool.start(item, [item](const WorkerChannel& channel) {
        channel.progress(item * 10);
        return std::to_string(item);
      });
    p.pool.wait();
    EXPECT_THAT(p.results, UnorderedElementsAre(std::pair(1, "1"), std::pair(2, "2"), std::pair(3, "3"),
                                                std::pair(4, "4")));
    EXPECT_THAT(p.progress, UnorderedElementsAre(10, 20, 30, 40));
  }
}

TEST(WorkerPool, WaitsUntilThereIsEnough) {
  Pool p(2);
  for (uint64_t item : {1u, 2u})
    p.pool.start(item, [item](const WorkerChannel&) {
      if (item == 2) pause();
      return std::string("done");
    });
  p.pool.wait_until([&] { return !p.results.empty(); });
  EXPECT_THAT(p.results, UnorderedElementsAre(std::pair(1, "done")));
  p.pool.wait_until([] { return true; });
}

TEST(WorkerPool, ResultsMayBeLargerThanAPipe) {
  Pool p(2);
  for (uint64_t item : {1u, 2u})
    p.pool.start(item, [item](const WorkerChannel&) { return std::string(5'000'000, char('a' + item)); });
  p.pool.wait();
  ASSERT_EQ(p.results.size(), 2u);
  for (const auto& [item, result] : p.results)
    EXPECT_EQ(std::count(result.begin(), result.end(), char('a' + item)), 5'000'000);
}

TEST(WorkerPool, WorkersRunOnACopyOfTheState) {
  Pool p(1);
  int state = 1;
  const WorkerPool::Work work = [&](const WorkerChannel&) { return std::to_string(state++); };
  p.pool.start(1, work);
  p.pool.wait();
  EXPECT_EQ(state, 1);
  state = 5;
  p.pool.start(2, work);
  p.pool.wait();
  EXPECT_EQ(p.results.back().second, "5");
}

TEST(WorkerPool, ErrorsOfWorkersAreOurs) {
  EXPECT_EQ(Pool(1).error_of<UserError>([](const WorkerChannel&) -> std::string { user_error("bad {}", 1); }),
            "bad 1");
  EXPECT_THAT(Pool(1).error_of<InternalError>(
                  [](const WorkerChannel&) -> std::string { throw InternalError("broken"); }),
              HasSubstr("frame 7: broken"));
}

TEST(WorkerPool, ACrashIsReported) {
  EXPECT_THAT(Pool(1).error_of<InternalError>([](const WorkerChannel&) -> std::string {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return "";
  }),
              AllOf(HasSubstr("frame 7"), HasSubstr("signal 11")));
  EXPECT_THAT(Pool(1).error_of<InternalError>([](const WorkerChannel&) -> std::string { _exit(0); }),
              HasSubstr("without a result"));
}

TEST(WorkerPool, AnInterruptEndsTheWorkers) {
  EXPECT_THAT(Pool(1).error_of<UserError>([](const WorkerChannel&) -> std::string {
    kill(getppid(), SIGINT);
    sleep(100);
    return "";
  }),
              HasSubstr("interrupted"));
}

}  // namespace
}  // namespace cutaway::replay
