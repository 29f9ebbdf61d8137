// Barriers: what a group waits for at each of their kinds (DX-12), and what its loads find behind them.
#include <gmock/gmock.h>

#include "boxes/shader_unit/workgroup_bench_for_test.h"

namespace cutaway::boxes::barriers_test {
namespace {

using namespace shader_unit_test_bench;

// The first group waits: 24 cycles behind the last to arrive it goes on.
TEST(Barriers, TakeTheirLatency) {
  std::vector<Cycle> ends;
  std::vector<uint64_t> waits;
  for (const unsigned latency : {4u, 5u, 30u}) {
    ShaderUnitSpec spec = kSpec;
    spec.barrier_latency = latency;
    ComputeBench bench(spec);
    const auto state = compute("BAR\nEND\n", 16, 0, spec);
    bench.send(*state);
    bench.run();
    ASSERT_EQ(bench.ended.received.size(), 1u);
    ends.push_back(bench.ended.received[0].first);
    waits.push_back(bench.unit.counters.cycles_dependency);
  }
  EXPECT_EQ(ends[1] - ends[0], 1u);
  EXPECT_EQ(ends[2] - ends[0], 26u);
  // No group waits for others any more: only the barrier's own latency is left.
  EXPECT_EQ(waits[1] - waits[0], 1u);
  EXPECT_EQ(waits[2] - waits[0], 26u);
}

// Stores of a group are visible behind a barrier of buffers: it arrives when they have been carried out.
TEST(Barriers, OfBuffersWaitForStores) {
  ComputeBench bench(kSpec);
  bench.storage.latency = 200;
  const auto state =
      compute("STB _.x, c0.x, c0.y, t0\nBAR DEVICE\nATOM _.x, c1.x, c0.y, c0.x, t0, OP(0)\nEND\n", 16);
  bench.send(*state);
  bench.run();
  ASSERT_EQ(bench.storage.seen.size(), 4u);
  EXPECT_EQ(bench.storage.seen[2].second, StorageJob::Kind::kAtomic);
  EXPECT_GT(bench.storage.seen[2].first, bench.storage.seen[1].first + 200);
}

// When the workgroup of 16 threads ends whose program this is.
Cycle end_of(std::string_view text, Cycle storage_latency, const ShaderUnitSpec& spec = kSpec) {
  ComputeBench bench(spec);
  bench.storage.latency = storage_latency;
  const auto state = compute(text, 16, 64, spec);
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.ended.received.size(), 1u);
  return bench.ended.received.empty() ? 0 : bench.ended.received[0].first;
}

// When the next instruction behind a barrier leaves: a load, behind a store.
Cycle load_behind(std::string_view barrier, Cycle storage_latency) {
  ComputeBench bench(kSpec);
  bench.storage.latency = storage_latency;
  const auto state = compute(
      fmt::format("STB _.x, c0.x, c0.y, t0\n{}\nLDB r0.x, c0.x, t0\nSTB _.x, c0.x, r0.x, t0\nEND\n", barrier),
      8);
  bench.send(*state);
  bench.run();
  EXPECT_GE(bench.storage.seen.size(), 2u);
  return bench.storage.seen.size() < 2 ? 0 : bench.storage.seen[1].first - bench.storage.seen[0].first;
}

TEST(Barriers, OfOtherMemoryDoNotWaitForStores) {
  for (const char* near : {"BAR", "BAR SHARED", "MEMBAR SHARED"})
    EXPECT_EQ(load_behind(near, 20), load_behind(near, 900)) << near;
  for (const char* far : {"BAR DEVICE", "MEMBAR DEVICE", "BAR SHARED, DEVICE", "MEMBAR SHARED, DEVICE"}) {
    EXPECT_EQ(load_behind(far, 901) - load_behind(far, 900), 1u) << far;
    EXPECT_GT(load_behind(far, 900), 900u) << far;
  }
}

// A memory barrier waits for the group's own stores, a barrier for those of all groups besides.
TEST(Barriers, OfMemoryAloneWaitForNobodyElse) {
  const auto first_load = [](const char* barrier) {
    ComputeBench bench(kSpec);
    bench.storage.latency = 700;
    // The second group stores, the first does not.
    const auto state = compute(fmt::format("IGE r0.x, i32.w, c2.x\nIF r0.x\nSTB _.x, c0.x, c0.y, t0\nENDIF\n"
                                           "{}\nLDB r0.x, c1.x, t0\nSTB _.x, c1.x, r0.x, t0\nEND\n",
                                           barrier),
                               16);
    state->stage[Stage::kCompute].constants[2][0] = 8;
    bench.send(*state);
    bench.run(5000);
    for (const auto& [time, kind] : bench.storage.seen)
      if (kind == StorageJob::Kind::kLoad) return time;
    return Cycle{0};
  };
  EXPECT_LT(first_load("MEMBAR DEVICE"), 200u);
  EXPECT_GT(first_load("BAR DEVICE"), 700u);
  EXPECT_LT(first_load("BAR SHARED"), 200u);
}

// The stores of two groups are carried out while these wait for the third: they are there once all the same.
TEST(Barriers, AGroupArrivesOnce) {
  for (const char* barrier : {"BAR", "BAR SHARED", "BAR DEVICE"}) {
    ComputeBench bench(kSpec);
    bench.storage.latency = 60;
    const auto state = compute(fmt::format("IGE r0.x, i32.w, c2.x\nIF r0.x\n"
                                           "LDB r1.x, c0.x, t0\nLDB r1.x, c0.x, t0\nLDB r1.x, c0.x, t0\n"
                                           "STB _.x, c1.x, r1.x, t0\nELSE\nSTB _.x, c0.x, c0.y, t0\nENDIF\n"
                                           "{}\nATOM _.x, c1.x, c0.y, c0.x, t0, OP(0)\nEND\n",
                                           barrier),
                               24);
    state->stage[Stage::kCompute].constants[2][0] = 16;
    bench.send(*state);
    bench.run();
    EXPECT_EQ(bench.ended.received.size(), 1u);
    uint32_t stores = 0, stores_before = 0;
    for (const auto& [time, kind] : bench.storage.seen) {
      if (kind == StorageJob::Kind::kAtomic && !stores_before) stores_before = stores;
      stores += kind == StorageJob::Kind::kStore;
    }
    EXPECT_EQ(stores_before, 3u) << barrier;
  }
}

// At a barrier of the workgroup's memory its accesses must be done, at one without they need not.
TEST(Barriers, OfSharedMemoryWaitForItsAccesses) {
  ShaderUnitSpec slow = kSpec;
  slow.shared_latency = 60;
  ShaderUnitSpec slower = kSpec;
  slower.shared_latency = 61;
  for (const char* barrier : {"BAR SHARED", "MEMBAR SHARED", "BAR SHARED, DEVICE"}) {
    const std::string text = fmt::format("STW _.x, c0.x, c0.y\n{}\nSTB _.x, c0.x, c0.y, t0\nEND\n", barrier);
    EXPECT_EQ(end_of(text, 20, slower) - end_of(text, 20, slow), 1u) << barrier;
  }
  for (const char* barrier : {"BAR", "BAR DEVICE", "MEMBAR DEVICE"}) {
    const std::string text = fmt::format("STW _.x, c0.x, c0.y\n{}\nSTB _.x, c0.x, c0.y, t0\nEND\n", barrier);
    EXPECT_EQ(end_of(text, 200, slower), end_of(text, 200, slow)) << barrier;
  }
}

TEST(Barriers, AreCountedByKind) {
  ComputeBench bench(kSpec);
  const auto state = compute("BAR\nMEMBAR SHARED\nMEMBAR DEVICE\nBAR DEVICE\nEND\n", 16);
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.counters().barriers, 4u);
  EXPECT_EQ(bench.counters().memory_barriers, 4u);
}

}  // namespace
}  // namespace cutaway::boxes::barriers_test
