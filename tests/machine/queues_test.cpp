// A graphics queue and a compute queue side by side leave the memory and the pictures that they leave one
// after the other; whatever the order of boxes, with idle cycles skipped or not.
#include <map>
#include <set>
#include <string>

#include "gpu_run.h"
#include "machine/observer.h"
#include "report/perfetto.h"

namespace cutaway::queues_test {
namespace {

struct Beside {
  uint64_t memory = 0, statistics = 0;
  engine::Cycle cycles = 0;
  boxes::QueueCounters queues;
};

machine::Config chip(const char* preset, bool compute_queue) {
  machine::Config config;
  load_config(config, preset);
  set(config, "command_processor.compute_queue", compute_queue ? "true" : "false");
  machine::check_rules(config);
  return config;
}

Beside run(const machine::Config& config, machine::MachineOptions options = {}) {
  const scenes::Scene scene = scenes::two_queues();
  options.runs_ahead = true;
  options.query_values = reported_queries(scene);
  machine::Machine gpu(config, arch::Memory(), options);
  play(scene, gpu);
  gpu.wait();
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  return {gpu.memory(0).hash(), gpu.statistics_hash(), gpu.cycles(), gpu.queues()};
}

TEST(Queues, SideBySideLeaveTheSameMemory) {
  for (const char* preset : {"g80", "d3d11"}) {
    const Beside alone = run(chip(preset, false)), beside = run(chip(preset, true));
    EXPECT_EQ(alone.memory, on_emulator(scenes::two_queues())) << preset;
    EXPECT_EQ(beside.memory, alone.memory) << preset;
    EXPECT_LT(beside.cycles, alone.cycles) << preset;
    EXPECT_EQ(beside.queues.compute_submissions, 4u);
    EXPECT_GT(beside.queues.side_by_side_cycles, 1000u) << preset;
    EXPECT_GT(beside.queues.follow_cycles, 0u) << preset;
  }
}

TEST(Queues, DependOnNoOrderOfBoxes) {
  for (const char* preset : {"g80", "d3d11"}) {
    const machine::Config config = chip(preset, true);
    const Beside first = run(config);
    for (const uint64_t seed : {1u, 2u, 3u})
      EXPECT_EQ(run(config, {.scheduler = {.seed = seed}}).statistics, first.statistics) << preset << seed;
    EXPECT_EQ(run(config, {.scheduler = {.skip_idle = false}}).statistics, first.statistics) << preset;
  }
}

// A timeline has the work of each queue: pieces of one lie beside pieces of the other.
TEST(Queues, AreToldApartInTimelines) {
  const scenes::Scene scene = scenes::two_queues();
  machine::Machine gpu(chip("d3d11", true), arch::Memory(),
                       {.query_values = reported_queries(scene), .list_works = true, .runs_ahead = true});
  machine::Observer observer(gpu, {.units = false});
  play(scene, gpu);
  gpu.wait();
  const run_record::Timeline timeline = observer.take(1);
  std::map<std::string, size_t> computed, drawn;
  size_t beside = 0;
  for (const auto& work : timeline.works) {
    EXPECT_LT(work.begin, work.end) << work.kind;
    (work.compute_queue ? computed : drawn)[work.kind]++;
    EXPECT_EQ(work.compute_queue, std::set({1u, 4u, 7u, 8u}).contains(work.submission));
    for (const auto& other : timeline.works)
      beside +=
          work.kind == "draw" && other.kind == "dispatch" && work.begin < other.end && other.begin < work.end;
  }
  EXPECT_EQ(computed["dispatch"], 3u);
  EXPECT_EQ(computed["copy"], 2u) << "a clear and a fill";
  EXPECT_EQ(computed["draw"], 0u);
  EXPECT_GT(drawn["draw"], 8u);
  EXPECT_GT(beside, 0u);

  std::string file;
  report::write_perfetto(timeline, [&](std::span<const std::byte> part) {
    file.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  for (const char* track : {"work of the graphics queue", "work of the compute queue"})
    EXPECT_NE(file.find(track), std::string::npos) << track;
}

TEST(Queues, OverlapWithWatchedMemoryToo) {
  for (const unsigned submissions : {1u, 2u, 8u})
    for (const char* watched : {"0", "8", "128"}) {
      machine::Config config = chip("d3d11", true);
      config.command_processor.submissions = submissions;
      set(config, "command_processor.watched_memory", watched);
      EXPECT_EQ(run(config).memory, on_emulator(scenes::two_queues())) << submissions << " " << watched;
    }
}

}  // namespace
}  // namespace cutaway::queues_test
