#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "emulator/worker_team.h"
#include "scenes/scenes.h"

// The number of threads changes neither memory nor pictures nor counters.
namespace cutaway::emulator {
namespace {

struct Outcome {
  uint64_t hash = 0;
  Statistics totals;
  std::vector<arch::Picture> pictures;
  std::vector<uint64_t> queries;
  bool faulted = false;
  std::string fault;
};

Outcome play(const scenes::Scene& scene, uint32_t threads) {
  Outcome out;
  Options options;
  options.threads = threads;
  options.on_frame = [&](FrameEnd& end) { out.pictures.push_back(std::move(end.picture)); };
  options.on_query = [&](uint64_t, arch::Address, uint64_t value) { out.queries.push_back(value); };
  const auto gpu = make_emulator(std::move(options));
  scenes::play(scene, *gpu);
  out.hash = gpu->hash();
  out.totals = gpu->totals();
  arch::Fault fault;
  out.faulted = gpu->fault(fault);
  out.fault = fault.text;
  return out;
}

TEST(Threads, AnyNumberGivesTheSame) {
  for (const scenes::Scene& scene : scenes::all_scenes()) {
    const Outcome one = play(scene, 1);
    for (const uint32_t threads : {2u, 3u, 8u}) {
      SCOPED_TRACE(testing::Message() << scene.name << ", " << threads << " threads");
      const Outcome many = play(scene, threads);
      EXPECT_EQ(many.hash, one.hash);
      EXPECT_EQ(many.faulted, one.faulted);
      EXPECT_EQ(many.fault, one.fault);
      EXPECT_EQ(many.queries, one.queries);
      ASSERT_EQ(many.pictures.size(), one.pictures.size());
      for (size_t i = 0; i < one.pictures.size(); i++) EXPECT_EQ(many.pictures[i].rgba, one.pictures[i].rgba);
      std::vector<uint64_t> counters[2];
      many.totals.for_each([&](const char*, const char*, uint64_t value) { counters[0].push_back(value); });
      one.totals.for_each([&](const char*, const char*, uint64_t value) { counters[1].push_back(value); });
      EXPECT_EQ(counters[0], counters[1]);
    }
  }
}

TEST(WorkerTeam, EveryWorkerTakesPartInEveryJob) {
  WorkerTeam team(4);
  std::atomic<uint32_t> calls[4] = {};
  for (uint32_t job = 1; job <= 2000; job++) {
    team.run([&](uint32_t worker) { calls[worker]++; });
    for (const auto& count : calls) ASSERT_EQ(count, job);
  }
}

TEST(WorkerTeam, OneWorkerIsTheCaller) {
  WorkerTeam team(1);
  const auto caller = std::this_thread::get_id();
  team.run([&](uint32_t worker) {
    EXPECT_EQ(worker, 0u);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

}  // namespace
}  // namespace cutaway::emulator
