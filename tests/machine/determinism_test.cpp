// The order of boxes within a cycle, and skipping the idle ones, change no statistic.
#include "gpu_run.h"
#include "scenes/raster_scenes.h"

namespace cutaway {
namespace {

TEST(Determinism, TwentyOrdersOfBoxesAndNoSkippingChangeNothing) {
  const scenes::Scene scene = scenes::many_triangles(400, 192);
  const machine::Config config;
  const Outcome plain = on_machine(scene, config);
  EXPECT_EQ(plain.memory, on_emulator(scene));
  for (uint64_t seed = 0; seed <= 20; seed++) {
    machine::MachineOptions options;
    options.scheduler.seed = seed;
    options.scheduler.skip_idle = seed % 2 != 0;
    const Outcome other = on_machine(scene, config, options);
    EXPECT_EQ(other.memory, plain.memory) << seed;
    EXPECT_EQ(other.cycles, plain.cycles) << seed;
    EXPECT_EQ(other.statistics, plain.statistics) << seed;
  }
}

// Unrelated clocks, many units, and everything but triangles.
TEST(Determinism, HoldsForEveryScene) {
  machine::Config config;
  config.shaders.front().topology.units = 3;
  config.rop.units = 3;
  config.fragment_generation.units = 2;
  config.gpu.memory_mhz = 571;
  config.shaders.front().unit.group_lanes = 16;
  for (const scenes::Scene& scene : scenes::all_scenes()) {
    const Outcome plain = on_machine(scene, config);
    for (uint64_t seed : {1, 2, 3, 0}) {
      machine::MachineOptions options;
      options.scheduler.seed = seed;
      options.scheduler.skip_idle = seed != 0;
      EXPECT_EQ(on_machine(scene, config, options).statistics, plain.statistics) << scene.name << ' ' << seed;
    }
  }
}

// Places of set-up primitives come back from boxes of two clocks.
TEST(Determinism, HoldsWhileTriangleSetupWaitsForStorage) {
  machine::Config config;
  config.triangle_setup.primitives = 3;
  config.rop.units = 3;
  config.fragment_generation.units = 2;
  config.shaders.front().topology.mhz = 571;
  for (const scenes::Scene& scene : {scenes::many_triangles(200, 96), scenes::polygon_modes()}) {
    const Outcome plain = on_machine(scene, config);
    EXPECT_EQ(plain.memory, on_emulator(scene));
    EXPECT_GT(plain.cycles, on_machine(scene, {}).cycles);
    for (uint64_t seed = 1; seed <= 20; seed++) {
      machine::MachineOptions options;
      options.scheduler.seed = seed;
      options.scheduler.skip_idle = seed % 2 != 0;
      EXPECT_EQ(on_machine(scene, config, options).statistics, plain.statistics) << scene.name << ' ' << seed;
    }
  }
}

// Front ends wait for one another at each of the rasterisers.
TEST(Determinism, HoldsWhileFrontEndsTakeTurns) {
  machine::Config config;
  config.geometry = {.units = 3, .batch = 2};
  config.streamer.vertices = 3;
  config.fragment_generation.units = 2;
  config.shaders.front().topology.mhz = 571;
  for (const scenes::Scene& scene : {scenes::many_triangles(200, 96), scenes::polygon_modes()}) {
    const Outcome plain = on_machine(scene, config);
    EXPECT_EQ(plain.memory, on_emulator(scene));
    for (uint64_t seed = 1; seed <= 20; seed++) {
      machine::MachineOptions options;
      options.scheduler.seed = seed;
      options.scheduler.skip_idle = seed % 2 != 0;
      EXPECT_EQ(on_machine(scene, config, options).statistics, plain.statistics) << scene.name << ' ' << seed;
    }
  }
}

// Looks into its neighbour, past all wires: what no box may do.
class Peeper final : public engine::Box {
 public:
  Peeper(std::string path, const engine::Box& neighbour) : Box(std::move(path)), neighbour_(neighbour) {}

  struct Counters {
    uint64_t seen = 0;

    template <class V>
    static void fields(V&& v) {
      v("seen", &Counters::seen, "cycles", "sum of the times at which its neighbour held nothing");
    }
  } counters;

  engine::Cycle tick(engine::Cycle now) override {
    if (neighbour_.why_busy().empty()) counters.seen += now;
    return busy(now);
  }
  void list_ports(engine::PortList&) override {}
  std::string why_busy() const override { return ""; }

 private:
  const engine::Box& neighbour_;
};

TEST(Determinism, ABoxThatPeeksAtItsNeighbourIsFound) {
  const scenes::Scene scene = scenes::many_triangles(60);
  const auto statistics = [&](uint64_t seed) {
    machine::MachineOptions options;
    options.scheduler.seed = seed;
    options.add_boxes = [](engine::Simulator& simulator, engine::Domain& core) {
      simulator.add<Peeper>(core, "gpu.peeper", simulator.box("gpu.z_stencil0"));
    };
    return on_machine(scene, {}, options).statistics;
  };
  const uint64_t plain = statistics(0);
  EXPECT_EQ(statistics(0), plain);
  unsigned found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) found += statistics(seed) != plain;
  EXPECT_GT(found, 0u) << "of 20 orders";
}

}  // namespace
}  // namespace cutaway
