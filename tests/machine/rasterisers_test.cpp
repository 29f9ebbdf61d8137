// Several rasterisers: the same fragments as one makes, in less time where fragment generation is what holds
// a frame up.
#include "gpu_run.h"
#include "scenes/builder.h"

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
    for (auto order : {"serpentine", "tile-rows", "recursive", "hilbert"}) {
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

// Thin triangles from corner to corner: 256 tiles are looked at for each, and few of them are covered.
scenes::Scene thin_triangles(uint32_t count) {
  scenes::Builder b("thin triangles", 128, 128);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0, 0, 1});
  std::vector<float> vertices;
  for (uint32_t i = 0; i < count; i++)
    vertices.insert(vertices.end(), {-1, -1, 0, 1, 1, 0.99f, 0, 1, 1, 1, 0, 1});
  b.vertices(vertices, {4});
  b.draw(3 * count);
  b.end_frame();
  return b.take();
}

// If scanners are the bottleneck, the rate of tested tiles is proportional to their number.
TEST(Rasterisers, LookAtTilesAtTheSameTime) {
  constexpr uint32_t kTriangles = 200;
  const scenes::Scene scene = thin_triangles(kTriangles);
  machine::Config config;
  config.fragment_generation.tests_per_cycle = 1;
  // Whichever tiles a thin triangle crosses, all shader units share its quads.
  config.work_distributor.fragments = "turns";
  const auto cycles = [&](unsigned units) {
    config.fragment_generation.units = units;
    return frame_of(scene, config).cycles;
  };
  const uint64_t one = cycles(1), two = cycles(2), four = cycles(4);
  EXPECT_GE(one, kTriangles * 256);
  EXPECT_NEAR(static_cast<double>(one - two), kTriangles * 128.0, kTriangles);
  EXPECT_NEAR(static_cast<double>(two - four), kTriangles * 64.0, kTriangles);
}

}  // namespace
}  // namespace cutaway
