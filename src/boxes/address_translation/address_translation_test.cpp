#include "boxes/address_translation/address_translation.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::address_translation_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::MemoryRequest;

constexpr AddressTranslationSpec kSpec{.pages = PageSize::k4,
                                       .entries = 4,
                                       .ways = 4,
                                       .l2_entries = 16,
                                       .l2_ways = 16,
                                       .l2_latency = 10,
                                       .walks = 4};
constexpr arch::Address kTable = 0x100000;  // in the memory that the walker reads
constexpr Cycle kMemory = 20;               // of that memory, from a request's arrival to its reply
// A read by the walker: a cycle on each wire, and memory.
constexpr Cycle kRead = 1 + kMemory + 1;
constexpr Cycle kWalk = 2 * kRead;
constexpr Cycle kFirst = 2;  // the cycle in which a client's first request arrives

// A translation between clients that request and a memory controller that takes all, with the page table of
// the first megabyte.
struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("memory", 1);
  PageTable table;
  AddressTranslation& box;
  messages::testing::MemoryModel& memory = sim.add<messages::testing::MemoryModel>(clock, "memory", kMemory);
  std::vector<Source<MemoryRequest>*> source;
  std::vector<Sink<MemoryRequest>*> sink;

  Bench(const AddressTranslationSpec& spec, std::vector<std::vector<MemoryRequest>> requests,
        const std::vector<ClientGroup>& groups)
      : table(spec.pages), box(sim.add<AddressTranslation>(clock, "translation", spec, groups, kTable)) {
    for (size_t i = 0; i < requests.size(); i++) {
      source.push_back(&sim.add<Source<MemoryRequest>>(clock, "source" + std::to_string(i), requests[i]));
      sink.push_back(&sim.add<Sink<MemoryRequest>>(clock, "sink" + std::to_string(i)));
      sim.connect(source[i]->out, box.requests_in[i], {1, 1, 8});
      sim.connect(box.requests_out[i], sink[i]->in, {1, 1, 8});
    }
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
    arch::Memory mapped;
    mapped.map(0, 1 << 20);
    table.update(mapped);
    memory.memory.map(kTable, 1 << 21);
    store();
  }
  void store() { memory.memory.write(kTable, table.bytes().data(), table.bytes().size()); }
  uint64_t entry_place(uint64_t page) const {
    return kTable + table.format().table_entry(PageFormat::kDirectoryBytes, page);
  }
  void run() {
    EXPECT_TRUE(sim.run_until(
        [&] {
          for (size_t i = 0; i < source.size(); i++)
            if (sink[i]->received.size() != source[i]->messages.size()) return false;
          return true;
        },
        clock, 100000));
    EXPECT_EQ(box.why_busy(), "");
    sim.settle();
  }
  // The cycle in which a request left the box.
  Cycle left(size_t client, size_t request) const { return sink[client]->received[request].first - 1; }
};

MemoryRequest read(uint64_t page, uint32_t tag = 0) {
  return {.address = page * 4096 + 64 * 5, .tag = tag, .origin = {.draw = 7}};
}

TEST(AddressTranslation, WalksThePageTable) {
  Bench bench(kSpec, {{read(3, 9)}}, {ClientGroup::kTexture});
  bench.run();
  EXPECT_EQ(bench.left(0, 0), kFirst + 10 + kWalk);
  const MemoryRequest& passed = bench.sink[0]->received[0].second;
  EXPECT_EQ(passed.address, read(3).address);
  EXPECT_EQ(passed.tag, 9u);
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.memory.seen[0].second.address, kTable);
  EXPECT_EQ(bench.memory.seen[0].second.mask, messages::byte_mask(0, 8));
  EXPECT_EQ(bench.memory.seen[1].second.address, kTable + PageFormat::kDirectoryBytes);
  EXPECT_EQ(bench.memory.seen[1].second.mask, messages::byte_mask(3 * 8, 8));
  EXPECT_EQ(bench.box.counters.walks, 1u);
  EXPECT_EQ(bench.box.counters.walk_cycles, kWalk);
  EXPECT_EQ(bench.box.counters.l2_misses, 1u);
  const TlbCounters& tlb = bench.box.tlb_counters(ClientGroup::kTexture);
  EXPECT_EQ(tlb.misses, 1u);
  EXPECT_EQ(tlb.hits, 0u);
  EXPECT_EQ(tlb.wait_cycles, 10 + kWalk);
}

// Requests that find their page leave in the cycle in which they arrive, one a cycle.
TEST(AddressTranslation, PassesHitsOn) {
  std::vector<MemoryRequest> requests(20, read(3));
  Bench bench(kSpec, {requests}, {ClientGroup::kTexture});
  bench.source[0]->interval = 200;
  bench.run();
  for (size_t i = 1; i < 20; i++) EXPECT_EQ(bench.left(0, i), kFirst + 200 * i);
  EXPECT_EQ(bench.box.tlb_counters(ClientGroup::kTexture).hits, 19u);
}

TEST(AddressTranslation, PassesOneRequestACycle) {
  std::vector<MemoryRequest> requests(20, read(3));
  Bench bench(kSpec, {requests}, {ClientGroup::kTexture});
  bench.run();
  for (size_t i = 1; i < 20; i++) EXPECT_EQ(bench.left(0, i), bench.left(0, 0) + i);
}

// The page comes in for one group; another one finds it in the second level.
TEST(AddressTranslation, FindsPagesInTheSecondLevel) {
  Bench bench(kSpec, {{read(3)}, {read(0), read(3)}}, {ClientGroup::kTexture, ClientGroup::kDepth});
  bench.source[1]->interval = 200;
  bench.run();
  EXPECT_EQ(bench.left(1, 1), kFirst + 200 + 10);
  EXPECT_EQ(bench.box.counters.l2_hits, 1u);
  EXPECT_EQ(bench.box.counters.walks, 2u);
}

// Clients of a group share its TLB.
TEST(AddressTranslation, ClientsOfAGroupShareATlb) {
  Bench bench(kSpec, {{read(3)}, {read(0), read(3)}}, {ClientGroup::kDepth, ClientGroup::kDepth});
  bench.source[1]->interval = 200;
  bench.run();
  EXPECT_EQ(bench.left(1, 1), kFirst + 200);
  EXPECT_EQ(bench.box.tlb_counters(ClientGroup::kDepth).hits, 1u);
}

// The second level takes one look-up a cycle.
TEST(AddressTranslation, LooksUpOnePageACycleInTheSecondLevel) {
  AddressTranslationSpec spec = kSpec;
  spec.entries = spec.ways = 1;
  std::vector<std::vector<MemoryRequest>> requests;
  std::vector<ClientGroup> groups;
  for (uint64_t page = 0; page < 3; page++) {
    requests.push_back({read(page), read(page + 8), read(page)});
    groups.push_back(static_cast<ClientGroup>(page));
  }
  Bench bench(spec, requests, groups);
  for (auto* source : bench.source) source->interval = 200;
  bench.run();
  for (size_t client = 0; client < 3; client++) {
    EXPECT_EQ(bench.left(client, 0), kFirst + client + 10 + kWalk);
    EXPECT_EQ(bench.left(client, 2), kFirst + 400 + client + 10);
  }
}

TEST(AddressTranslation, MergesMissesToAPage) {
  Bench bench(kSpec, {{read(3)}, {read(3)}, {read(3)}},
              {ClientGroup::kTexture, ClientGroup::kTexture, ClientGroup::kColor});
  bench.run();
  for (size_t client = 0; client < 3; client++) EXPECT_EQ(bench.left(client, 0), kFirst + 10 + kWalk);
  EXPECT_EQ(bench.box.counters.merged, 2u);
  EXPECT_EQ(bench.box.counters.walks, 1u);
}

// A client's requests stay in order behind one that misses; those of others pass.
TEST(AddressTranslation, HoldsUpTheClientOfAMissAlone) {
  Bench bench(kSpec, {{read(3), read(4), read(3)}, {read(3), read(3), read(3)}},
              {ClientGroup::kTexture, ClientGroup::kTexture});
  bench.source[0]->interval = 1;
  bench.source[1]->interval = 60;  // the second and third arrive while the other client waits for page 4
  bench.run();
  const Cycle first = kFirst + 10 + kWalk;
  EXPECT_EQ(bench.left(0, 0), first);
  EXPECT_EQ(bench.left(0, 1), first + 1 + 10 + kWalk);
  EXPECT_EQ(bench.left(0, 2), first + 1 + 10 + kWalk + 1);
  EXPECT_EQ(bench.left(1, 1), kFirst + 60);
  EXPECT_EQ(bench.left(1, 2), kFirst + 120);
}

// Four clients miss at once. Their walks read side by side, or one after the other.
TEST(AddressTranslation, WalksSideBySide) {
  for (const unsigned walks : {1u, 2u, 4u}) {
    AddressTranslationSpec spec = kSpec;
    spec.walks = walks;
    spec.l2_latency = 1;
    const std::vector<ClientGroup> groups(4, ClientGroup::kTexture);
    Bench bench(spec, {{read(0)}, {read(1)}, {read(2)}, {read(3)}}, groups);
    bench.run();
    for (size_t client = 0; client < 4; client++)
      EXPECT_EQ(bench.left(client, 0), kFirst + 1 + client % walks + (client / walks + 1) * kWalk)
          << walks << " walks, client " << client;
  }
}

// A page that the second level holds does not wait for room for walks.
TEST(AddressTranslation, HitsOfTheSecondLevelPassWalks) {
  AddressTranslationSpec spec = kSpec;
  spec.walks = 1;
  Bench bench(spec, {{read(3), read(9)}, {read(4), read(10)}, {read(5), read(3)}},
              {ClientGroup::kTexture, ClientGroup::kTexture, ClientGroup::kDepth});
  for (auto* source : bench.source) source->interval = 400;
  bench.run();
  EXPECT_EQ(bench.left(0, 1), kFirst + 400 + 10 + kWalk);
  EXPECT_EQ(bench.left(1, 1), kFirst + 400 + 10 + 2 * kWalk);
  EXPECT_EQ(bench.left(2, 1), kFirst + 400 + 2 + 10);
}

// A TLB of four pages misses for each of five in turn, and never for four.
TEST(AddressTranslation, ReachesAsFarAsItsEntries) {
  for (const uint64_t pages : {4u, 5u}) {
    std::vector<MemoryRequest> requests;
    for (uint64_t i = 0; i < 10 * pages; i++) requests.push_back(read(i % pages));
    Bench bench(kSpec, {requests}, {ClientGroup::kTexture});
    bench.run();
    EXPECT_EQ(bench.box.tlb_counters(ClientGroup::kTexture).misses, pages == 4 ? 4u : 50u);
    EXPECT_EQ(bench.box.counters.walks, pages);
  }
}

// Entries of the table decide where a request goes.
TEST(AddressTranslation, TakesTheFrameFromTheEntry) {
  Bench bench(kSpec, {{read(3)}}, {ClientGroup::kTexture});
  bench.memory.memory.write_as(bench.entry_place(3), uint64_t{9 * 4096 + 1});
  bench.run();
  EXPECT_EQ(bench.sink[0]->received[0].second.address, read(9).address);
}

TEST(AddressTranslation, TranslatesLargePages) {
  AddressTranslationSpec spec = kSpec;
  spec.pages = PageSize::k64;
  Bench bench(spec, {{read(3), read(15), read(16)}}, {ClientGroup::kTexture});
  bench.run();
  EXPECT_EQ(bench.box.counters.walks, 2u);
  EXPECT_EQ(bench.left(0, 1), bench.left(0, 0) + 1);
  EXPECT_EQ(bench.sink[0]->received[2].second.address, read(16).address);
}

TEST(AddressTranslation, StopsAtAPageThatIsNotThere) {
  Bench bench(kSpec, {{read(2)}, {read(3)}}, {ClientGroup::kTexture, ClientGroup::kColor});
  bench.memory.memory.write_as(bench.entry_place(3), uint64_t{3 * 4096});
  bench.sim.run(bench.clock, 1000);
  ASSERT_TRUE(bench.box.fault());
  EXPECT_EQ(bench.box.fault()->client, 1u);
  EXPECT_EQ(bench.box.fault()->address, read(3).address);
  EXPECT_EQ(bench.box.fault()->origin.draw, 7u);
  EXPECT_FALSE(bench.box.fault()->write);
  EXPECT_EQ(bench.sink[0]->received.size(), 1u);
  EXPECT_TRUE(bench.sink[1]->received.empty());
}

// The directory has no table there: the walk ends behind its first read.
TEST(AddressTranslation, StopsWhereThereIsNoTable) {
  MemoryRequest far{.address = arch::Address{1} << 32, .write = true};
  Bench bench(kSpec, {{far}}, {ClientGroup::kTexture});
  bench.sim.run(bench.clock, kFirst + 10 + kRead - 1);
  EXPECT_FALSE(bench.box.fault());
  bench.sim.run(bench.clock, 1);
  ASSERT_TRUE(bench.box.fault());
  EXPECT_TRUE(bench.box.fault()->write);
  EXPECT_EQ(bench.memory.seen.size(), 1u);
}

TEST(AddressTranslation, PassesTheMachinesOwnMemory) {
  MemoryRequest own{.address = (arch::Address{1} << arch::kAddressBits) + 128};
  Bench bench(kSpec, {{own}}, {ClientGroup::kVertices});
  bench.run();
  EXPECT_EQ(bench.left(0, 0), kFirst);
  EXPECT_EQ(bench.sink[0]->received[0].second.address, own.address);
  EXPECT_EQ(bench.box.tlb_counters(ClientGroup::kVertices).hits, 0u);
}

TEST(AddressTranslation, ForgetsPagesWhenTheTableChanges) {
  Bench bench(kSpec, {{read(3), read(3)}}, {ClientGroup::kTexture});
  bench.source[0]->interval = 200;
  bench.sim.run(bench.clock, 150);
  bench.memory.memory.write_as(bench.entry_place(3), uint64_t{9 * 4096 + 1});
  bench.box.forget_all();
  bench.run();
  EXPECT_EQ(bench.sink[0]->received[1].second.address, read(9).address);
  EXPECT_EQ(bench.left(0, 1), kFirst + 200 + 10 + kWalk);
}

// Requests that wait for the memory controller do not look their page up again.
TEST(AddressTranslation, BlamesWhoTakesNothing) {
  Bench bench(kSpec, {std::vector<MemoryRequest>(12, read(3))}, {ClientGroup::kTexture});
  bench.sink[0]->refuse = true;
  bench.sim.run(bench.clock, 1000);
  bench.sim.settle();
  EXPECT_GT(bench.box.account().blocked_by("sink0"), 900u);
  EXPECT_EQ(bench.box.tlb_counters(ClientGroup::kTexture).hits, 8u);  // seven on the wire, one before it
}

// A walk is the box's own work.
TEST(AddressTranslation, IsBusyWhileItWalks) {
  Bench bench(kSpec, {{read(3)}}, {ClientGroup::kTexture});
  bench.run();
  const engine::Account account = bench.box.account();
  EXPECT_GE(account.busy, 10 + kWalk);
  EXPECT_EQ(account.busy + account.idle, account.cycles);
}

}  // namespace
}  // namespace cutaway::boxes::address_translation_test
