#include <benchmark/benchmark.h>

#include "engine/testing/network.h"

// The scheduler and its wires alone: 90 boxes that only forward tokens, in four clock domains.
namespace {

using cutaway::engine::testing::Network;

// Argument: average cycles between bursts of 12 tokens; and whether idle boxes are skipped.
void network(benchmark::State& state) {
  Network network({.pause = static_cast<unsigned>(state.range(0))}, {.skip_idle = state.range(1) != 0});
  network.run(2000);  // fills
  const uint64_t ticks = network.sim.executed_ticks();
  for (auto _ : state) network.run(1000);
  const double cycles = double(state.iterations()) * 1000,
               executed = double(network.sim.executed_ticks() - ticks);
  state.counters["cycles/s"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
  state.counters["s/tick"] =
      benchmark::Counter(executed, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["ticks/cycle"] = executed / cycles;
}
BENCHMARK(network)->ArgNames({"pause", "skip"})->ArgsProduct({{1, 100, 2000}, {0, 1}});

// One box that always asks for the next cycle: the least that a tick costs.
class Awake final : public cutaway::engine::Box {
 public:
  explicit Awake(std::string path) : Box(std::move(path)) {}
  cutaway::engine::Cycle tick(cutaway::engine::Cycle now) override { return busy(now); }
  void list_ports(cutaway::engine::PortList&) override {}
  std::string why_busy() const override { return ""; }
};

void empty_ticks(benchmark::State& state) {
  cutaway::engine::Simulator sim;
  auto& core = sim.add_domain("core", 1);
  for (int i = 0; i < state.range(0); i++) sim.add<Awake>(core, "box" + std::to_string(i));
  sim.elaborate();
  for (auto _ : state) sim.run(core, 1000);
  const double ticks = double(sim.executed_ticks());
  state.counters["s/tick"] =
      benchmark::Counter(ticks, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(empty_ticks)->ArgName("boxes")->Arg(1)->Arg(64)->Arg(130);

}  // namespace
