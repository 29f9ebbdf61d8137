// The driver's own draws are counted once more by themselves, and change nothing.
#include <map>

#include "gpu_run.h"
#include "scenes/timing_scenes.h"

namespace cutaway {
namespace {

struct Counted {
  std::map<CounterRole, uint64_t> all, driver;  // sums over units
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
    EXPECT_EQ(counter.name.starts_with("driver_"), counter.of == CountOf::kDriver) << counter.full_name();
    if (counter.of == CountOf::kAll) continue;
    if (counter.role == CounterRole::kDrawCycles) {
      counted.driver_cycles = *counter.value;
      continue;
    }
    // Beside it stands the counter of all draws, of the same role.
    const std::string all = counter.path + "." + counter.name.substr(7);
    counted.driver[counter.role] += *counter.value;
    counted.all[counter.role] += table.value(all);
    for (const Counter& other : table.counters()) {
      if (other.full_name() == all) { EXPECT_EQ(other.role, counter.role) << all; }
    }
  }
  return counted;
}

TEST(DriverWork, EveryPartOfADrawIsCountedApart) {
  const Counted none = count(scenes::driver_work(0)), every = count(scenes::driver_work(127));
  // The clear alone, and everything.
  ASSERT_EQ(none.all.size(), 10u);
  using enum CounterRole;
  for (const auto& [role, value] : none.all) EXPECT_GT(value, 0u) << name_of(role);
  EXPECT_EQ(none.driver.at(kDraws), 1u);
  EXPECT_EQ(none.driver.at(kVerticesShaded), 4u);
  EXPECT_EQ(none.driver.at(kPrimitives), 2u);
  EXPECT_EQ(none.driver.at(kFragmentsGenerated), 9216u);
  EXPECT_EQ(none.driver.at(kFragmentsWritten), 9216u);
  for (const CounterRole role :
       {kFragmentsKilledHz, kFragmentsKilledEarlyZ, kFragmentsKilledLateZ, kFragmentsKilledShader})
    EXPECT_EQ(none.driver.at(role), 0u) << name_of(role);
  EXPECT_EQ(every.driver, every.all);
  EXPECT_EQ(none.all, every.all);
  EXPECT_GT(none.driver_cycles, 0u);
  EXPECT_GT(every.driver_cycles, none.driver_cycles);
  EXPECT_LT(every.driver_cycles, every.cycles);
  EXPECT_EQ(none.cycles, every.cycles);
}

}  // namespace
}  // namespace cutaway
