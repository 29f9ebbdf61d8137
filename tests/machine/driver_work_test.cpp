// The driver's own draws are counted once more by themselves, and change nothing.
#include <map>

#include "gpu_run.h"
#include "scenes/timing_scenes.h"

namespace cutaway {
namespace {

struct Counted {
  std::map<std::string, uint64_t> all, driver;  // sums over units, by "KIND.COUNTER"
  uint64_t cycles = 0, driver_cycles = 0;
};

Counted count(const scenes::Scene& scene) {
  machine::Machine gpu(machine::Config{}, arch::Memory());
  scenes::play(scene, gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  Counted counted{.cycles = gpu.cycles()};
  const CounterTable& table = gpu.simulator().counters();
  for (const Counter& counter : table.counters()) {
    if (counter.name == "driver_cycles") counted.driver_cycles = *counter.value;
    else if (counter.name.starts_with("driver_")) {
      const std::string name = counter.name.substr(7);
      const std::string kind = counter.path.substr(0, counter.path.find_last_not_of("0123456789") + 1);
      counted.driver[kind + "." + name] += *counter.value;
      counted.all[kind + "." + name] += *table.find(counter.path + "." + name)->value;
    }
  }
  return counted;
}

TEST(DriverWork, EveryPartOfADrawIsCountedApart) {
  const Counted none = count(scenes::driver_work(0)), every = count(scenes::driver_work(127));
  // The clear alone, and everything.
  ASSERT_EQ(none.all.size(), 10u);
  for (const auto& [name, value] : none.all) EXPECT_GT(value, 0u) << name;
  EXPECT_EQ(none.driver.at("gpu.command_processor.draws"), 1u);
  EXPECT_EQ(none.driver.at("gpu.streamer.vertices_shaded"), 4u);
  EXPECT_EQ(none.driver.at("gpu.primitive_assembly.primitives"), 2u);
  EXPECT_EQ(none.driver.at("gpu.fragment_generation.fragments"), 9216u);
  EXPECT_EQ(none.driver.at("gpu.color_write.fragments"), 9216u);
  for (const char* name : {"gpu.hierarchical_z.fragments_rejected", "gpu.z_stencil.fragments_failed",
                           "gpu.z_stencil.late_failed", "gpu.shader.fragments_killed"})
    EXPECT_EQ(none.driver.at(name), 0u) << name;
  EXPECT_EQ(every.driver, every.all);
  EXPECT_EQ(none.all, every.all);
  EXPECT_GT(none.driver_cycles, 0u);
  EXPECT_GT(every.driver_cycles, none.driver_cycles);
  EXPECT_LT(every.driver_cycles, every.cycles);
  EXPECT_EQ(none.cycles, every.cycles);
}

}  // namespace
}  // namespace cutaway
