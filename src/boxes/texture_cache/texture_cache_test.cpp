#include "boxes/texture_cache/texture_cache.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::texture_cache_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;
using messages::MemoryReply;
using messages::MemoryRequest;

constexpr arch::Address kBase = 0x30000;  // a multiple of the interleave
constexpr TextureCacheSpec kSpec{.slices = 1, .latency = 5};

// A slice between requesting texture units and a memory in which each sector holds its number.
struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  TextureCache& box;
  std::vector<Source<MemoryRequest>*> units;
  std::vector<Sink<MemoryReply>*> results;
  Source<Control>& orders = sim.add<Source<Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& memory;

  explicit Bench(const TextureCacheSpec& spec = kSpec, unsigned requesters = 1, Cycle latency = 10,
                 unsigned slice = 0, uint32_t grain = 64)
      : box(sim.add<TextureCache>(clock, "texture_cache", spec, slice, requesters, grain)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    for (unsigned i = 0; i < requesters; i++) {
      units.push_back(&sim.add<Source<MemoryRequest>>(clock, "unit" + std::to_string(i)));
      results.push_back(&sim.add<Sink<MemoryReply>>(clock, "results" + std::to_string(i)));
      sim.connect(units[i]->out, box.requests_in[i], {1, 1, 4});
      sim.connect(box.replies_out[i], results[i]->in, {1, 1, 4});
    }
    sim.connect(orders.out, box.control_in, {1, 1, 2});
    sim.connect(box.control_out, done.in, {1, 1, 2});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
    memory.memory.map(kBase, 1 << 20);
    for (uint32_t sector = 0; sector < 1 << 14; sector++) hold(sector, sector);
  }
  void hold(uint32_t sector, uint32_t value) { memory.memory.write(kBase + 64 * sector, &value, 4); }
  void ask(unsigned unit, uint32_t sector, uint32_t tag = 0, messages::ByteMask mask = messages::kAllBytes) {
    units[unit]->messages.push_back({.address = kBase + 64 * sector, .tag = tag, .mask = mask});
    units[unit]->wake();
  }
  void invalidate() { orders.messages.push_back({Control::Kind::kInvalidate, {}}), orders.wake(); }
  void run(Cycle cycles) { sim.run(clock, cycles); }
  std::vector<uint32_t> tags(unsigned unit) const {
    std::vector<uint32_t> all;
    for (const auto& [cycle, reply] : results[unit]->received) all.push_back(reply.tag);
    return all;
  }
  // The value in a unit's n-th reply.
  uint32_t value(unsigned unit, size_t n) const {
    uint32_t word;
    std::memcpy(&word, results[unit]->received.at(n).second.data.data(), 4);
    return word;
  }
  // Units in the order of service, by arrival.
  std::vector<unsigned> order() const {
    std::vector<std::pair<Cycle, unsigned>> all;
    for (unsigned unit = 0; unit < results.size(); unit++)
      for (const auto& [cycle, reply] : results[unit]->received) all.emplace_back(cycle, unit);
    std::sort(all.begin(), all.end());
    std::vector<unsigned> units_in_order;
    for (const auto& [cycle, unit] : all) units_in_order.push_back(unit);
    return units_in_order;
  }
};

// Sent in 1, taken in 2, latency, a wire of 1.
TEST(TextureCache, AHitIsNotThereACycleBeforeItsLatency) {
  for (unsigned latency : {1u, 5u, 40u}) {
    TextureCacheSpec spec = kSpec;
    spec.latency = latency;
    Bench bench(spec);
    bench.ask(0, 7, 1);
    bench.run(100);
    bench.ask(0, 7, 2);  // sent in 101
    bench.run(2 + latency);
    EXPECT_EQ(bench.tags(0), std::vector<uint32_t>{1}) << latency;
    bench.run(1);
    EXPECT_EQ(bench.tags(0), (std::vector<uint32_t>{1, 2})) << latency;
    EXPECT_EQ(bench.value(0, 1), 7u);
    EXPECT_EQ(bench.box.counters.cache_hits, 1u);
    EXPECT_EQ(bench.box.counters.cache_misses, 1u);
    EXPECT_EQ(bench.memory.reads, 1u);
  }
}

// Taken in 2, requested in 3, in memory from 4 on, back over a wire of 1 and passed on at once: by then a
// hit's latency is over, or memory's.
TEST(TextureCache, AMissTakesMemorysTimeOrThatOfAHit) {
  for (const auto& [hit, memory] : {std::pair{5u, Cycle{30}}, {1u, 10}, {5u, 1}, {50u, 10}}) {
    TextureCacheSpec spec = kSpec;
    spec.latency = hit;
    Bench bench(spec, 1, memory);
    bench.ask(0, 3);
    const Cycle expected = std::max(Cycle{2} + hit, 4 + memory + 1) + 1;
    bench.run(expected - 1);
    EXPECT_TRUE(bench.tags(0).empty());
    bench.run(1);
    EXPECT_EQ(bench.tags(0).size(), 1u) << hit << ", " << memory;
    EXPECT_EQ(bench.value(0, 0), 3u);
    EXPECT_EQ(bench.memory.seen.at(0).first, 4u);
  }
}

// Counts requested sectors, not lines.
TEST(TextureCache, ASectorIsReadOnceForAllRequesters) {
  Bench bench(kSpec, 3, 40);
  for (uint32_t tag = 0; tag < 3; tag++)
    for (unsigned unit = 0; unit < 3; unit++) bench.ask(unit, 8 + tag % 2, 10 * unit + tag);
  bench.run(200);
  EXPECT_EQ(bench.memory.reads, 2u);
  EXPECT_EQ(bench.box.counters.cache_misses, 2u);
  EXPECT_EQ(bench.box.counters.cache_hits, 7u);
  EXPECT_EQ(bench.box.counters.merged, 7u);
  for (unsigned unit = 0; unit < 3; unit++) {
    auto tags = bench.tags(unit);
    ASSERT_EQ(tags.size(), 3u);
    for (size_t n = 0; n < 3; n++) EXPECT_EQ(bench.value(unit, n), 8 + tags[n] % 10 % 2);
    std::sort(tags.begin(), tags.end());
    EXPECT_EQ(tags, (std::vector<uint32_t>{10 * unit, 10 * unit + 1, 10 * unit + 2}));
  }
  bench.ask(1, 9);
  bench.run(50);
  EXPECT_EQ(bench.box.counters.merged, 7u);  // it is present by now
}

TEST(TextureCache, HitsOvertakeMisses) {
  Bench bench(kSpec, 1, 100);
  bench.ask(0, 1, 1);
  bench.run(200);
  bench.ask(0, 2, 2), bench.ask(0, 1, 3);
  bench.run(20);
  EXPECT_EQ(bench.tags(0), (std::vector<uint32_t>{1, 3}));
  bench.run(200);
  EXPECT_EQ(bench.tags(0), (std::vector<uint32_t>{1, 3, 2}));
}

TEST(TextureCache, TakesARequestACycleOfTheUnitsInTurn) {
  const auto last = [](unsigned units, uint32_t count) {
    Bench bench(kSpec, units);
    bench.ask(0, 1);
    bench.run(100);
    for (uint32_t i = 0; i < count; i++) bench.ask(i % units, 1, i);
    bench.run(400);
    const auto order = bench.order();
    EXPECT_EQ(order.size(), count + 1);
    for (uint32_t i = 1; i < count; i++) EXPECT_NE(order[i], order[i + 1]);
    Cycle latest = 0;
    for (const auto* results : bench.results) latest = std::max(latest, results->received.back().first);
    // The last requester was alone then; the others' turns follow one another.
    EXPECT_EQ(bench.box.counters.contended, count - 1);
    return latest;
  };
  EXPECT_EQ(last(2, 80) - last(2, 40), 40u);
  EXPECT_EQ(last(5, 200) - last(5, 100), 100u);
  EXPECT_EQ(last(3, 3), 101 + 1 + 5 + 1 + 2);
}

// Two units request continuously; the third gets every third turn.
TEST(TextureCache, ServesRequestersInTurn) {
  Bench bench(kSpec, 3);
  for (uint32_t i = 0; i < 60; i++) bench.ask(0, 1, i), bench.ask(2, 1, i);
  bench.run(30);
  const size_t before = bench.order().size();
  bench.ask(1, 1, 0), bench.ask(1, 1, 1);
  bench.run(60);
  const auto order = bench.order();
  const auto first = std::find(order.begin() + static_cast<ptrdiff_t>(before), order.end(), 1u);
  ASSERT_NE(first, order.end());
  EXPECT_EQ(*(first + 3), 1u);
}

// Requests before an invalidate return the old memory contents; later ones return the new.
TEST(TextureCache, InvalidateLosesNoRequestsInFlight) {
  for (Cycle after = 0; after < 60; after++) {
    Bench bench(kSpec, 2, 12);
    for (uint32_t i = 0; i < 40; i++) bench.ask(i % 2, i % 7, i);
    bench.run(after);
    bench.invalidate();
    bench.run(400);
    ASSERT_EQ(bench.done.received.size(), 1u);
    for (unsigned unit = 0; unit < 2; unit++) {
      auto tags = bench.tags(unit);
      ASSERT_EQ(tags.size(), 20u) << after;
      for (size_t n = 0; n < 20; n++) EXPECT_EQ(bench.value(unit, n), tags[n] % 7);
      std::sort(tags.begin(), tags.end());
      for (uint32_t n = 0; n < 20; n++) EXPECT_EQ(tags[n], 2 * n + unit) << after;
    }
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

TEST(TextureCache, InvalidateForgetsWhatMemoryHeldBefore) {
  Bench bench(kSpec, 1, 30);
  bench.ask(0, 4);
  bench.run(100);
  bench.hold(4, 1000), bench.hold(5, 1001);
  bench.ask(0, 4);
  bench.run(100);
  EXPECT_EQ(bench.value(0, 1), 4u);
  bench.ask(0, 5), bench.ask(0, 4);
  bench.run(1);  // the first is in flight when the order is given
  bench.invalidate();
  bench.run(1);
  bench.ask(0, 4);
  bench.run(200);
  ASSERT_EQ(bench.results[0]->received.size(), 5u);
  EXPECT_EQ(bench.value(0, 4), 1000u);
  EXPECT_EQ(bench.memory.reads, 3u);
}

// An order that arrives in the same cycle as a request precedes it: nothing is taken while it waits.
TEST(TextureCache, NothingIsTakenWhileAnOrderWaits) {
  Bench bench(kSpec, 1, 50);
  bench.ask(0, 1, 1);
  bench.run(10);
  bench.invalidate();
  bench.run(1);
  bench.ask(0, 1, 2);
  bench.run(300);
  EXPECT_EQ(bench.memory.reads, 2u);
  ASSERT_EQ(bench.results[0]->received.size(), 2u);
  // Answered in 4 + 50 + 1, executed at once, reported over a wire of 1.
  EXPECT_EQ(bench.done.received.at(0).first, 56u);
  EXPECT_EQ(bench.memory.seen[1].first, 56 + 1 + 1u);  // looked up in 56, requested in 57
}

// Each of three slices serves its share with all the sets of its cache.
TEST(TextureCache, ASliceUsesAllItsCacheForItsShare) {
  for (const unsigned slices : {1u, 2u, 3u, 16u}) {
    TextureCacheSpec spec = kSpec;
    spec.slices = slices, spec.interleave = 256;
    spec.cache_lines = 16, spec.cache_ways = 1, spec.line_bytes = 256;
    const structures::Interleave interleave = spec.interleaved();
    ASSERT_EQ(interleave.own(kBase) % 4096, 0u);
    for (const unsigned slice : {0u, slices - 1}) {
      Bench bench(spec, 1, 10, slice);
      std::vector<arch::Address> share;
      for (uint32_t sector = 0; sector < 64 * slices; sector++)
        if (interleave.unit_of(kBase + 64 * sector) == slice) share.push_back(kBase + 64 * sector);
      ASSERT_EQ(share.size(), 64u);
      for (int round = 0; round < 2; round++) {
        for (const arch::Address address : share)
          bench.ask(0, static_cast<uint32_t>(address - kBase) / 64,
                    static_cast<uint32_t>(address - kBase) / 64);
        bench.run(2000);
      }
      EXPECT_EQ(bench.memory.reads, 64u) << slices;
      for (size_t i = 0; i < 64; i++) EXPECT_EQ(bench.memory.seen[i].second.address, share[i]);
      ASSERT_EQ(bench.results[0]->received.size(), 128u);
      for (size_t n = 0; n < 128; n++) EXPECT_EQ(bench.value(0, n), bench.results[0]->received[n].second.tag);
    }
  }
}

TEST(TextureCache, HoldsAsManyRequestsAsDeclared) {
  for (unsigned size : {1u, 6u, 20u}) {
    TextureCacheSpec spec = kSpec;
    spec.pending = size;
    Bench bench(spec, 2, 100'000);
    for (uint32_t i = 0; i < 60; i++) bench.ask(i % 2, 4 * i);
    bench.run(500);
    EXPECT_EQ(bench.box.counters.cache_misses, size);
    EXPECT_EQ(bench.units[0]->sent.size() + bench.units[1]->sent.size(), size + 2 * 4);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("memory"), 400u);
    EXPECT_NE(bench.box.why_busy(), "");
  }
}

// A request whose set is in use waits, and blocks later ones.
TEST(TextureCache, WorksWithTheSmallestCache) {
  Bench bench({.slices = 1, .cache_lines = 4, .cache_ways = 1, .line_bytes = 64, .latency = 3}, 3, 20);
  for (uint32_t i = 0; i < 300; i++) bench.ask(i % 3, i * 37 % 50, i * 37 % 50);
  bench.run(20'000);
  for (unsigned unit = 0; unit < 3; unit++) {
    ASSERT_EQ(bench.results[unit]->received.size(), 100u);
    for (size_t n = 0; n < 100; n++)
      EXPECT_EQ(bench.value(unit, n), bench.results[unit]->received[n].second.tag);
  }
  EXPECT_EQ(bench.box.why_busy(), "");
}

TEST(TextureCache, BlamesAUnitThatDoesNotTakeItsReplies) {
  const auto blame = [](Cycle k) {
    Bench bench(kSpec, 2);
    bench.ask(1, 0);
    bench.run(100);
    bench.results[1]->interval = k;
    for (uint32_t i = 0; i < 40; i++) bench.ask(1, 0);
    bench.run(3000);
    EXPECT_EQ(bench.results[1]->received.size(), 41u);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
    EXPECT_EQ(account.blocked_by("results0"), 0u);
    return account.blocked_by("results1");
  };
  // One is taken at once, and four wait on the wire.
  messages::testing::expect_blame_per_item(blame, 35);
}

// Replies to other units overtake one without room.
TEST(TextureCache, ABlockedUnitDoesNotBlockOthers) {
  Bench bench(kSpec, 2);
  bench.results[0]->refuse = true;
  for (uint32_t i = 0; i < 20; i++) bench.ask(0, 0, i), bench.ask(1, 0, i);
  bench.run(200);
  EXPECT_EQ(bench.results[1]->received.size(), 20u);
}

TEST(TextureCache, WaitsForMemory) {
  const auto starved = [](Cycle latency) {
    Bench bench(kSpec, 1, latency);
    bench.ask(0, 0);
    bench.run(1000);
    return messages::testing::account_of(bench.sim, bench.box).starved_by("memory");
  };
  // From the end of its pipeline in cycle 8 until the reply arrives in 4 + latency + 1.
  EXPECT_EQ(starved(50), 4 + 50 + 1 - 8u);
  EXPECT_EQ(starved(77), 4 + 77 + 1 - 8u);
}

TEST(TextureCache, IsIdleWithoutWork) {
  Bench bench(kSpec, 2);
  bench.run(50);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).idle, 50u);
}

TEST(TextureCache, BooksCyclesOnTheLastRequestsWork) {
  Bench bench;
  engine::Ledger& ledger = bench.sim.keep_ledger();
  for (uint32_t work = 1; work <= 2; work++) {
    bench.units[0]->messages.push_back({.address = kBase + 4096 * work, .origin = {.work = work}});
    bench.units[0]->wake();
    bench.run(100);
  }
  bench.sim.settle();
  std::map<uint32_t, uint64_t> cycles, waited;
  for (const engine::Ledger::Share& share : ledger.take(3)) {
    const Counter& counter = bench.sim.counters().counters()[share.counter];
    if (counter.path != "texture_cache" || counter.unit != "cycles") continue;
    cycles[share.work] += share.value;
    if (counter.name == "starved.memory_in") waited[share.work] += share.value;
  }
  EXPECT_EQ(cycles[1], 100u);
  EXPECT_EQ(cycles[0] + cycles[2], 100u);
  EXPECT_EQ(waited[0], 0u);
  EXPECT_GT(waited[1], 0u);
  EXPECT_EQ(waited[1], waited[2]);
}

// Only the requested half of a sector is read and returned.
TEST(TextureCache, HalvesAreReadAndAnsweredApart) {
  constexpr messages::ByteMask kFirst = messages::byte_mask(0, 32), kSecond = messages::byte_mask(32, 32);
  Bench bench(kSpec, 1, 10, 0, 32);
  const uint32_t last = 0x01020304;
  bench.memory.memory.write(kBase + 64 * 5 + 60, &last, 4);
  const auto ask = [&](messages::ByteMask mask) {
    bench.ask(0, 5, 0, mask);
    bench.run(100);
    const MemoryReply& reply = bench.results[0]->received.back().second;
    EXPECT_EQ(reply.mask, mask);
    uint32_t word;
    std::memcpy(&word, reply.data.data() + 60, 4);
    return std::pair{static_cast<uint32_t>(reply.data[0]), word};
  };
  EXPECT_EQ(ask(kFirst), std::pair(5u, 0u));
  EXPECT_EQ(ask(kSecond), std::pair(0u, last));
  EXPECT_EQ(ask(kFirst), std::pair(5u, 0u));
  EXPECT_EQ(ask(messages::kAllBytes), std::pair(5u, last));
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.memory.seen[0].second.mask, kFirst);
  EXPECT_EQ(bench.memory.seen[1].second.mask, kSecond);
  EXPECT_EQ(bench.box.counters.cache_misses, 2u);
  EXPECT_EQ(bench.box.counters.cache_hits, 2u);
}

}  // namespace
}  // namespace cutaway::boxes::texture_cache_test
