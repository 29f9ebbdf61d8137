#include "boxes/storage_cache/storage_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::storage_cache_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;
using messages::ControlDone;
using messages::StorageJob;
using messages::StorageMessage;

constexpr arch::Address kBase = 0x40000;

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  StorageCache& cache;
  messages::testing::MemoryModel& memory = sim.add<messages::testing::MemoryModel>(clock, "memory", 30);
  std::vector<Source<StorageMessage>*> units;
  std::vector<Sink<StorageMessage>*> replies;
  Source<Control>& orders = sim.add<Source<Control>>(clock, "orders");
  Sink<ControlDone>& answers = sim.add<Sink<ControlDone>>(clock, "answers");

  explicit Bench(StorageCacheSpec spec = {}, unsigned slice = 0, unsigned requesters = 1)
      : cache(sim.add<StorageCache>(clock, "slice", with_slices(spec), slice, requesters)) {
    memory.memory.map(kBase, 65536);
    for (unsigned i = 0; i < requesters; i++) {
      units.push_back(&sim.add<Source<StorageMessage>>(clock, "unit" + std::to_string(i)));
      replies.push_back(&sim.add<Sink<StorageMessage>>(clock, "replies" + std::to_string(i)));
      sim.connect(units[i]->out, cache.requests_in[i], {1, 1, 8});
      sim.connect(cache.replies_out[i], replies[i]->in, {1, 1, 4});
    }
    sim.connect(cache.memory_out, memory.requests, {1, 1, 8});
    sim.connect(memory.replies, cache.memory_in, {1, 1, 8});
    sim.connect(orders.out, cache.control_in, {1, 1, 2});
    sim.connect(cache.control_out, answers.in, {1, 1, 2});
    sim.elaborate();
  }
  static StorageCacheSpec with_slices(StorageCacheSpec spec) {
    if (!spec.slices) spec.slices = 1;
    if (!spec.atomics_per_cycle) spec.atomics_per_cycle = 4;
    return spec;
  }

  StorageJob& send(StorageJob::Kind kind, arch::Address line, unsigned unit = 0) {
    StorageMessage message{pools.storage_jobs.allocate()};
    StorageJob& job = *message.job;
    job.kind = kind;
    job.line = line;
    job.mask = {};
    job.atomics = 0;
    job.origin = {};
    units[unit]->messages.push_back(message), units[unit]->wake();
    return job;
  }
  void load(arch::Address line, uint32_t offset, uint32_t bytes = 4, unsigned unit = 0) {
    send(StorageJob::Kind::kLoad, line, unit).mask[offset / 64] = messages::byte_mask(offset % 64, bytes);
  }
  void store(arch::Address line, uint32_t offset, uint32_t word, unsigned unit = 0) {
    StorageJob& job = send(StorageJob::Kind::kStore, line, unit);
    job.mask[offset / 64] = messages::byte_mask(offset % 64, 4);
    std::memcpy(&job.data[offset], &word, 4);
  }
  void add(arch::Address line, std::span<const uint32_t> offsets, unsigned unit = 0) {
    StorageJob& job = send(StorageJob::Kind::kAtomic, line, unit);
    job.operation = isa::AtomicOp::kAdd;
    for (uint32_t offset : offsets) {
      job.atomic[job.atomics] = {job.atomics, offset, 1, 0, true, 0};
      job.atomics++;
    }
  }
  uint32_t word(size_t reply, uint32_t offset, unsigned unit = 0) const {
    uint32_t value;
    std::memcpy(&value, &replies[unit]->received.at(reply).second.job->data[offset], 4);
    return value;
  }
  Cycle time(size_t reply, unsigned unit = 0) const { return replies[unit]->received.at(reply).first; }
  void order(Control::Kind kind) { orders.messages.push_back({.kind = kind}), orders.wake(); }
  void run(Cycle cycles = 300) { sim.run(clock, cycles); }
};

TEST(StorageCache, HitsTakeTheLatency) {
  for (const unsigned latency : {1u, 7u, 40u}) {
    Bench bench({.latency = latency});
    bench.store(kBase, 12, 5);
    bench.run();
    const Cycle sent = bench.clock.now() + 1;
    bench.load(kBase, 12);
    bench.run();
    EXPECT_EQ(bench.word(1, 12), 5u);
    EXPECT_EQ(bench.time(1) - sent, latency + 2) << "and a cycle on each wire";
  }
}

TEST(StorageCache, MissesReadOnlyNeededSectors) {
  Bench bench;
  bench.memory.memory.write_as<uint32_t>(kBase + 64 + 8, 77);
  bench.load(kBase, 64 + 8);
  bench.run();
  EXPECT_EQ(bench.word(0, 64 + 8), 77u);
  EXPECT_EQ(bench.memory.reads, 1u);
  bench.load(kBase, 64 + 20);
  bench.load(kBase, 0);
  bench.run();
  EXPECT_EQ(bench.memory.reads, 2u);
  EXPECT_EQ(bench.cache.counters.cache_hits, 1u);
  EXPECT_EQ(bench.cache.counters.cache_misses, 2u);
  EXPECT_EQ(bench.cache.counters.loads, 3u);
}

// Also behind a request that waits for memory.
TEST(StorageCache, RequestsAreCarriedOutInTheirOrder) {
  Bench bench;
  bench.memory.memory.write_as<uint32_t>(kBase, 1);
  bench.load(kBase, 0);
  bench.store(kBase, 0, 2);
  bench.load(kBase, 0);
  bench.store(kBase, 0, 3);
  bench.run();
  EXPECT_EQ(bench.word(0, 0), 1u);
  EXPECT_EQ(bench.word(2, 0), 2u);
  EXPECT_EQ(bench.replies[0]->received.size(), 4u);
  EXPECT_EQ(bench.cache.counters.merged, 1u);  // the second load; a store needs no fetch
}

TEST(StorageCache, AtomicsGiveTheOldWordsLaneByLane) {
  Bench bench;
  bench.memory.memory.write_as<uint32_t>(kBase + 4, 100);
  const std::array<uint32_t, 5> offsets{4, 8, 4, 4, 8};
  bench.add(kBase, offsets);
  bench.load(kBase, 4, 8);
  bench.run();
  const StorageJob& job = *bench.replies[0]->received.at(0).second.job;
  std::vector<uint32_t> old;
  for (uint32_t i = 0; i < job.atomics; i++) old.push_back(job.atomic[i].old);
  EXPECT_THAT(old, ::testing::ElementsAre(100, 0, 101, 102, 1));
  EXPECT_EQ(bench.word(1, 4), 103u);
  EXPECT_EQ(bench.word(1, 8), 2u);
  EXPECT_EQ(bench.cache.counters.atomic_lanes, 5u);
}

TEST(StorageCache, HelpersOnlyLearnWhatTheWordIs) {
  Bench bench;
  StorageJob& job = bench.send(StorageJob::Kind::kAtomic, kBase);
  job.operation = isa::AtomicOp::kAdd;
  job.atomic[0] = {0, 0, 5, 0, true, 0};
  job.atomic[1] = {1, 0, 5, 0, false, 0};
  job.atomics = 2;
  bench.load(kBase, 0);
  bench.run();
  EXPECT_EQ(bench.replies[0]->received.at(0).second.job->atomic[1].old, 5u);
  EXPECT_EQ(bench.word(1, 0), 5u);
}

// One atomic per word and cycle, and a limited number of words per slice.
TEST(StorageCache, AtomicsTakeACycleForEachOfAWord) {
  for (const unsigned units : {1u, 4u, 16u})
    for (const uint32_t same : {1u, 2u, 8u, 16u}) {
      Bench bench({.atomics_per_cycle = units});
      bench.load(kBase, 0, 64);
      bench.run();
      std::vector<uint32_t> offsets;
      for (uint32_t i = 0; i < 16; i++) offsets.push_back(4 * (i / same));
      const Cycle sent = bench.clock.now() + 1;
      bench.add(kBase, offsets);
      bench.run();
      const Cycle cycles = std::max<Cycle>(same, 16 / units);
      EXPECT_EQ(bench.time(1) - sent, 20 + 2 + cycles - 1) << units << " units, " << same << " of a word";
      EXPECT_EQ(bench.cache.counters.atomic_conflicts, cycles - 1);
    }
}

// When combined, 32 atomics on one word take one cycle and return the same values as in turn; exchanges
// remain sequential.
TEST(StorageCache, AtomicsOfAWordMayBeCombined) {
  const auto run = [](SameWord same_word, isa::AtomicOp operation, uint32_t words) {
    Bench bench({.same_word = same_word});
    bench.store(kBase, 0, 5);
    bench.run();
    std::vector<uint32_t> offsets;
    for (uint32_t lane = 0; lane < 32; lane++) offsets.push_back(lane % words * 4);
    bench.add(kBase, offsets);
    bench.units[0]->messages.back().job->operation = operation;
    bench.load(kBase, 0);
    bench.run();
    const StorageJob& job = *bench.replies[0]->received.at(1).second.job;
    if (operation == isa::AtomicOp::kAdd && words == 1) {
      for (uint32_t lane = 0; lane < 32; lane++) EXPECT_EQ(job.atomic[lane].old, 5 + lane);
      EXPECT_EQ(bench.word(2, 0), 5u + 32);
    }
    return std::pair(bench.cache.counters.atomic_conflicts, bench.cache.counters.atomics_combined);
  };
  using enum isa::AtomicOp;
  const auto cycles_of = [](uint64_t cycles, uint64_t combined) { return std::pair(cycles - 1, combined); };
  EXPECT_EQ(run(SameWord::kInTurn, kAdd, 1), cycles_of(32, 0));
  EXPECT_EQ(run(SameWord::kCombined, kAdd, 1), cycles_of(1, 31));
  EXPECT_EQ(run(SameWord::kCombined, kXor, 1), cycles_of(1, 31));
  EXPECT_EQ(run(SameWord::kCombined, kExchange, 1), cycles_of(32, 0));
  EXPECT_EQ(run(SameWord::kCombined, kCompareExchange, 1), cycles_of(32, 0));
  EXPECT_EQ(run(SameWord::kCombined, kAdd, 16), cycles_of(4, 16));  // 4 words per cycle
  EXPECT_EQ(run(SameWord::kInTurn, kAdd, 16), cycles_of(8, 0));
}

TEST(StorageCache, FlushesWriteTheBytesThatWereStored) {
  Bench bench;
  bench.memory.memory.write_as<uint32_t>(kBase + 4, 9);
  bench.store(kBase, 0, 5);
  bench.store(kBase + 128, 64, 6);
  bench.run();
  EXPECT_EQ(bench.memory.writes, 0u);
  bench.order(Control::Kind::kFlush);
  bench.run();
  ASSERT_EQ(bench.answers.received.size(), 1u);
  EXPECT_EQ(bench.memory.writes, 2u);
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kBase), 5u);
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kBase + 4), 9u);
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kBase + 192), 6u);
  // An invalidate makes external writes to memory visible.
  bench.memory.memory.write_as<uint32_t>(kBase, 50);
  bench.order(Control::Kind::kInvalidate);
  bench.run();
  bench.load(kBase, 0);
  bench.run();
  EXPECT_EQ(bench.word(2, 0), 50u);
}

// Addresses within slices are contiguous.
TEST(StorageCache, ASliceHasItsShareOfTheAddresses) {
  Bench bench({.slices = 4, .interleave = 256}, 2);
  bench.store(kBase + 512 + 128, 0, 5);
  bench.run();
  bench.order(Control::Kind::kFlush);
  bench.run();
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kBase + 512 + 128), 5u);
}

TEST(StorageCache, ShaderUnitsTakeTurns) {
  Bench bench({}, 0, 2);
  bench.load(kBase, 0);
  bench.run();
  for (uint32_t i = 0; i < 4; i++)
    for (const unsigned unit : {0u, 1u}) bench.load(kBase, 4 * i, 4, unit);
  bench.run();
  ASSERT_EQ(bench.replies[1]->received.size(), 4u);
  for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(bench.time(i, 1) - bench.time(0, 1), 2 * i);
  EXPECT_EQ(bench.cache.counters.contended, 7u);
}

// One per cycle: the declared number waits for a slow one, and no more.
TEST(StorageCache, HoldsTheDeclaredRequests) {
  for (const unsigned pending : {1u, 3u}) {
    Bench bench({.queue = 8, .pending = pending});
    bench.memory.latency = 1000;
    for (uint32_t i = 0; i < 8; i++) bench.load(kBase + i * 128, 0);
    bench.run(200);
    EXPECT_EQ(bench.memory.seen.size(), pending);
  }
}

TEST(StorageCache, SaysWhomItWaitsFor) {
  Bench bench;
  bench.memory.latency = 100;
  bench.load(kBase, 0);
  bench.run(200);
  const engine::Account account = bench.cache.account();
  EXPECT_GT(account.starved_by("memory"), 70u);
  EXPECT_EQ(account.busy + account.starved + account.blocked + account.idle, account.cycles);
  Bench full;
  full.replies[0]->refuse = true;
  for (uint32_t i = 0; i < 8; i++) full.store(kBase, 4 * i, i);
  full.run();
  EXPECT_GT(full.cache.account().blocked_by("replies0"), 200u);
}

}  // namespace
}  // namespace cutaway::boxes::storage_cache_test
