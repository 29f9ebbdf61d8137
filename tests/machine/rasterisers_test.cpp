// Several rasterisers: the same fragments as one makes, in less time where fragment generation is what holds
// a frame up.
#include "gpu_run.h"

namespace cutaway {
namespace {

struct Frame {
  uint64_t memory = 0, cycles = 0;
  uint64_t generated = 0;             // by role, of all units
  std::vector<uint64_t> fragments{};  // of each rasteriser
};

Frame frame_of(const scenes::Scene& scene, const machine::Config& config) {
  machine::Machine gpu(config, arch::Memory());
  scenes::play(scene, gpu);
  gpu.simulator().settle();
  Frame frame{.memory = gpu.memory(0).hash(), .cycles = gpu.cycles()};
  for (const Counter& counter : gpu.simulator().counters().counters())
    if (counter.role == CounterRole::kFragmentsGenerated && counter.of == CountOf::kAll)
      frame.generated += *counter.value;
  for (unsigned i = 0; i < config.fragment_generation.units; i++)
    frame.fragments.push_back(
        gpu.simulator().counters().value(fmt::format("gpu.fragment_generation{}.fragments", i)));
  return frame;
}

TEST(Rasterisers, ShareTheFragmentsOfOne) {
  const scenes::Scene scene = scenes::many_triangles(400, 192);
  const uint64_t expected = on_emulator(scene);
  const Frame alone = frame_of(scene, {});
  EXPECT_EQ(alone.memory, expected);
  for (unsigned units : {2u, 3u, 8u})
    for (auto order : {boxes::ScanOrderKind::kSerpentine, boxes::ScanOrderKind::kTileRows}) {
      machine::Config config;
      config.fragment_generation.units = units;
      config.fragment_generation.tile = 16;
      config.fragment_generation.order = order;
      const Frame frame = frame_of(scene, config);
      EXPECT_EQ(frame.memory, expected) << units;
      EXPECT_EQ(frame.generated, alone.generated) << units;
      for (uint64_t fragments : frame.fragments)
        EXPECT_NEAR(static_cast<double>(fragments), static_cast<double>(alone.generated) / units,
                    0.25 * static_cast<double>(alone.generated) / units)
            << units;
    }
}

// One tile looked at in four cycles' worth of the preset: the scanner is what the frame waits for.
TEST(Rasterisers, TwoLookAtTwiceAsManyTilesPerCycle) {
  const scenes::Scene scene = scenes::many_triangles(400, 192);
  machine::Config config;
  config.fragment_generation.tests_per_cycle = 1;
  const auto cycles = [&](unsigned units) {
    config.fragment_generation.units = units;
    return static_cast<double>(frame_of(scene, config).cycles);
  };
  const double one = cycles(1), two = cycles(2);
  EXPECT_LT(two, one);
  RecordProperty("one", std::to_string(one));
  RecordProperty("two", std::to_string(two));
}

}  // namespace
}  // namespace cutaway
