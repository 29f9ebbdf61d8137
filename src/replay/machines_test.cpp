// Tests of several machines side by side.
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <unistd.h>

#include "base/error.h"
#include "capture/recording_gpu.h"
#include "emulator/emulator.h"
#include "replay/simulation.h"
#include "scenes/bound_scenes.h"
#include "scenes/scenes.h"

namespace cutaway::replay {
namespace {

using Cycles = std::map<std::pair<size_t, uint64_t>, uint64_t>;  // by machine and frame

struct Machines : ::testing::Test {
  void record(const scenes::Scene& scene) const {
    auto gpu = emulator::make_emulator();
    capture::Writer writer(path, {.memory = capture::memory_of(*gpu)});
    capture::RecordingGpu recording(*gpu, writer);
    scenes::play(scene, recording);
    writer.close();
  }
  ~Machines() override { std::filesystem::remove(path); }

  static machine::Config machine(const std::vector<std::string>& sets = {}, const char* preset = "attila") {
    machine::Config config;
    machine::load_config(config, preset, sets);
    return config;
  }
  Cycles side_by_side(const std::vector<machine::Config>& machines, unsigned jobs, uint64_t warmup = 0) {
    const capture::Reader reader(path);
    Cycles cycles;
    simulate_machines(
        reader, first, last, machines,
        {.jobs = jobs,
         .warmup = warmup,
         .on_progress = [](size_t, uint64_t, double) {},
         .on_frame =
             [&](size_t machine, SimulatedFrame&& frame) {
               cycles[{machine, frame.figures.frame}] = frame.figures.cycles;
             },
         .on_refusal = [&](size_t machine, const std::string& why) { refusals[machine] = why; }});
    return cycles;
  }
  Cycles alone(const std::vector<machine::Config>& machines, uint64_t warmup = 0) {
    const capture::Reader reader(path);
    Cycles cycles;
    for (size_t i = 0; i < machines.size(); i++) {
      SimulationOptions options{.config = machines[i], .warmup = warmup};
      options.on_frame = [&](SimulatedFrame&& frame) {
        cycles[{i, frame.figures.frame}] = frame.figures.cycles;
      };
      simulate(reader, first, last, options);
    }
    return cycles;
  }

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("machines_test_{}.cutaway", getpid());
  uint64_t first = 2, last = 3;
  std::map<size_t, std::string> refusals;
};

TEST_F(Machines, SideBySideCountWhatTheyCountAlone) {
  record(scenes::animation(4));
  const std::vector<machine::Config> machines = {machine(), machine({"shader.units=4"}),
                                                 machine({"memory.latency=400"})};
  const Cycles expected = alone(machines);
  EXPECT_EQ(expected.size(), 6u);
  EXPECT_EQ(side_by_side(machines, 1), expected);
  EXPECT_EQ(side_by_side(machines, 3), expected);
  EXPECT_EQ(side_by_side(machines, 2, 1), alone(machines, 1));
  EXPECT_TRUE(refusals.empty());
}

TEST_F(Machines, OneThatCannotRunTheFramesDoesNotStopTheOthers) {
  record(scenes::bound_by_geometry());
  first = last = 1;
  const Cycles cycles = side_by_side({machine({}, "d3d11"), machine()}, 2);
  EXPECT_EQ(cycles, alone({machine({}, "d3d11")}));
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_THAT(refusals[1], ::testing::HasSubstr("geometry"));
}

TEST_F(Machines, FramesThatTheCaptureLacksAreRefused) {
  record(scenes::animation(4));
  const capture::Reader reader(path);
  EXPECT_THROW(simulate_machines(reader, 2, 99, {machine()}, {}), UserError);
}

}  // namespace
}  // namespace cutaway::replay
