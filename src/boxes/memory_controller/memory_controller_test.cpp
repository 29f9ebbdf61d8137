#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "boxes/memory_controller/bench_for_test.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::memory_controller_test {
namespace {

using namespace memory_bench;

// Sent in 1, arrives in 2, served in 3, four cycles on the channel, latency, answered over a wire of 1.
TEST(MemoryController, AReadIsNotThereACycleBeforeItsLatency) {
  for (unsigned latency : {1u, 40u, 300u}) {
    MemoryControllerSpec spec = kSpec;
    spec.latency = latency;
    Bench bench(spec, {{read(0)}});
    const Cycle expected = 3 + 4 + latency + 1;
    bench.sim.run(bench.clock, expected - 1);
    EXPECT_TRUE(bench.sink[0]->received.empty());
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.arrivals(0), std::vector<Cycle>{expected});
  }
}

// 64 bytes at 16 per cycle (ATT-1).
TEST(MemoryController, ATransactionOccupiesItsChannelForFourCycles) {
  Bench bench(kSpec, {{read(0), read(64), read(128)}});
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.arrivals(0), (std::vector<Cycle>{48, 52, 56}));
  EXPECT_EQ(bench.used(), 12u);
}

TEST(MemoryController, ChannelsWorkAtTheSameTime) {
  Bench bench(kSpec, {{read(0)}, {read(256)}, {read(512)}, {read(1024)}});
  bench.sim.run(bench.clock, 200);
  for (size_t client = 0; client < 3; client++) EXPECT_EQ(bench.arrivals(client), std::vector<Cycle>{48});
  EXPECT_EQ(bench.arrivals(3), std::vector<Cycle>{52});  // channel 0 again
}

TEST(MemoryController, TurningTheBusAroundTakesTime) {
  Bench bench(kSpec, {{read(0), write(64, 1), read(128)}});
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.arrivals(0), (std::vector<Cycle>{48, 48 + 4 + 4, 48 + 4 + 4 + 6 + 4}));
  EXPECT_EQ(bench.used(), 3u * 4);  // a turning bus transfers nothing
}

TEST(MemoryController, ABusThatHasRestedTurnsAroundForNothing) {
  Bench bench(kSpec, {{read(0), write(64, 1)}});
  bench.source[0]->interval = 100;
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.arrivals(0), (std::vector<Cycle>{48, 148}));
}

// A client's own memory has the normal timing, and is invisible to others.
TEST(MemoryController, MemoryOfItsOwnBelongsToOneClient) {
  constexpr arch::Address kFirst = MemoryController::kOwn + 4096;
  Bench bench(kSpec, {{read(kFirst), write(kFirst, 0xaa), write(kFirst, 0xbb, 0, 0xff00), read(kFirst)},
                      {write(kFirst, 0xcc), read(kFirst)},
                      {write(kFirst, 0xdd), read(kFirst)}});
  bench.controller.give_own(0, kFirst, 128);
  bench.controller.give_own(2, kFirst, 64);
  bench.source[1]->interval = bench.source[2]->interval = 100;
  const uint64_t hash = bench.memory.hash();
  bench.sim.run(bench.clock, 48);
  ASSERT_EQ(bench.sink[0]->received.size(), 1u);
  EXPECT_EQ(bench.arrivals(0)[0], 48u);
  bench.sim.run(bench.clock, 400);
  const auto byte = [&](size_t client, size_t reply, size_t at) {
    return static_cast<unsigned>(bench.sink[client]->received.at(reply).second.data[at]);
  };
  EXPECT_EQ(byte(0, 0, 0), 0u);
  EXPECT_EQ(byte(0, 3, 0), 0xaau);
  EXPECT_EQ(byte(0, 3, 8), 0xbbu);
  EXPECT_EQ(byte(0, 3, 16), 0xaau);
  EXPECT_FALSE(bench.sink[1]->received.at(1).second.mapped);
  EXPECT_EQ(byte(1, 1, 0), 0u);
  EXPECT_EQ(byte(2, 1, 0), 0xddu);
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 128u);
  EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 128u);
  EXPECT_EQ(bench.memory.hash(), hash);
}

TEST(MemoryController, WritesOnlyTheBytesOfTheMask) {
  Bench bench(kSpec, {{write(0, 0xaa), write(0, 0xbb, 0, 0x00ff00), read(0)}});
  bench.sim.run(bench.clock, 300);
  ASSERT_EQ(bench.sink[0]->received.size(), 3u);
  const auto& data = bench.sink[0]->received[2].second.data;
  for (size_t i = 0; i < 64; i++)
    EXPECT_EQ(data[i], i >= 8 && i < 16 ? std::byte{0xbb} : std::byte{0xaa}) << i;
}

TEST(MemoryController, AClientsTransactionsOfASectorKeepTheirOrder) {
  std::mt19937 random(3);
  std::vector<std::vector<MemoryRequest>> requests(3);
  std::vector<std::map<uint32_t, uint8_t>> expected(3);
  for (uint32_t client = 0; client < 3; client++) {
    std::map<arch::Address, uint8_t> model;
    for (uint32_t tag = 0; tag < 400; tag++) {
      const arch::Address address = (client * 16 + random() % 16) * 64;
      if (random() % 2) {
        requests[client].push_back(write(address, model[address] = static_cast<uint8_t>(random()), tag));
      } else {
        requests[client].push_back(read(address, tag));
        expected[client][tag] = model[address];
      }
    }
  }
  Bench bench(kSpec, requests);
  bench.sim.run(bench.clock, 10000);
  for (uint32_t client = 0; client < 3; client++) {
    EXPECT_EQ(bench.sink[client]->received.size(), 400u);
    for (const auto& [cycle, reply] : bench.sink[client]->received)
      if (!reply.write) { EXPECT_EQ(std::to_integer<int>(reply.data[5]), expected[client][reply.tag]); }
  }
}

TEST(MemoryController, ClientsTakeTurns) {
  std::vector<std::vector<MemoryRequest>> requests(3);
  for (auto& client : requests)
    for (uint32_t i = 0; i < 500; i++) client.push_back(read(0, i));
  Bench bench(kSpec, requests);
  bench.sim.run(bench.clock, 1200);
  for (size_t client = 0; client < 3; client++)
    EXPECT_NEAR(static_cast<double>(bench.sink[client]->received.size()), 1200 / 4 / 3, 8);
}

// Continuous readers must not starve a writer.
TEST(MemoryController, TheOtherDirectionComesToItsTurn) {
  std::vector<std::vector<MemoryRequest>> requests(3);
  for (uint32_t i = 0; i < 3000; i++) requests[0].push_back(read(0, i)), requests[1].push_back(read(0, i));
  for (uint32_t i = 0; i < 100; i++) requests[2].push_back(write(64, 1, i));
  Bench bench(kSpec, requests);
  bench.sim.run(bench.clock, 4000);
  EXPECT_GT(bench.sink[2]->received.size(), 20u);
}

TEST(MemoryController, ASlowClientIsBlamed) {
  const auto blame = [](Cycle interval) {
    std::vector<MemoryRequest> reads;
    for (uint32_t i = 0; i < 40; i++) reads.push_back(read(256 * i, i));
    Bench bench(kSpec, {reads});
    bench.sink[0]->interval = interval;
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.sink[0]->received.size(), 40u);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.controller);
    return account.blocked_by("sink0");
  };
  // One of 40 replies is taken at once, and eight wait on the wire.
  messages::testing::expect_blame_per_item(blame, 31);
}

TEST(MemoryController, RecordsWritersOfWatchedPages) {
  MemoryRequest request = write(64, 7);
  request.origin = {.submission = 1, .draw = 2, .primitive = 3};
  Bench bench(kSpec, {{}, {request, write(1 << 16, 7)}});
  bench.controller.watch(0);
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.controller.last_writes().size(), 1u);
  EXPECT_EQ(bench.controller.last_writes().at(64).client, 1u);
  EXPECT_EQ(bench.controller.last_writes().at(64).origin, request.origin);
}

// A slow channel serves one; the others wait in its queue and on the wire.
TEST(MemoryController, QueuesDeclaredTransactionsPerClientAndChannel) {
  for (unsigned size : {1u, 5u, 8u}) {
    MemoryControllerSpec spec = kSpec;
    spec.queue = size, spec.bytes_per_cycle = 1;
    std::vector<std::vector<MemoryRequest>> requests(2);
    for (uint32_t i = 0; i < 40; i++) requests[0].push_back(read(0, i)), requests[1].push_back(read(256, i));
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 60);
    for (auto* source : bench.source) EXPECT_EQ(source->sent.size(), 1 + size + 8);
    EXPECT_EQ(bench.used(), 2u * 64);
  }
}

// A client that takes no replies has as many transactions in the controller as places for replies; others are
// served.
TEST(MemoryController, AcceptsNoMoreThanItHasRoomForReplies) {
  for (const auto& [channels, replies] : {std::pair{1u, 1u}, {1u, 40u}, {2u, 7u}}) {
    MemoryControllerSpec spec = kSpec;
    spec.channels = channels, spec.replies = replies;
    std::vector<std::vector<MemoryRequest>> requests(2);
    for (uint32_t i = 0; i < 1000; i++) requests[0].push_back(read(256 * (i % 8), i));
    requests[1].push_back(read(0));
    Bench bench(spec, requests);
    bench.sink[0]->refuse = true;
    bench.source[1]->interval = 100;
    bench.sim.run(bench.clock, 3000);
    EXPECT_TRUE(bench.sink[0]->received.empty());
    EXPECT_EQ(bench.sink[1]->received.size(), 1u);
    // Eight replies wait on the wire.
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, (replies + 8) * 64);
    EXPECT_EQ(bench.controller.client_counters[0].answered, 8u);
    bench.sink[0]->refuse = false, bench.sink[0]->wake();
    bench.sim.run(bench.clock, 60000);
    EXPECT_EQ(bench.sink[0]->received.size(), 1000u);
  }
}

// With one place, the next is accepted when the reply leaves: 1 + 4 + 40 cycles each.
TEST(MemoryController, CountsHowLongTransactionsTake) {
  MemoryControllerSpec spec = kSpec;
  Bench bench(spec, {{read(0), read(64), write(128, 1)}, {read(256)}});
  bench.sim.run(bench.clock, 300);
  // Accepted in 2, 3 and 4; answered in 47, 51 and 59.
  const MemoryClientCounters& counted = bench.controller.client_counters[0];
  EXPECT_EQ(counted.answered, 3u);
  EXPECT_EQ(counted.latency, 45u + 48 + 55);
  EXPECT_EQ(counted.longest, 55u);
  EXPECT_EQ(bench.controller.client_counters[1].latency, 45u);
}

TEST(MemoryController, TransactionTimeFollowsTheChannelRate) {
  for (const auto& [bytes, cycles] : {std::pair{1u, 64u}, {4u, 16u}, {24u, 3u}, {63u, 2u}, {64u, 1u}}) {
    MemoryControllerSpec spec = kSpec;
    spec.bytes_per_cycle = bytes;
    Bench bench(spec, {{read(0), read(64), read(128)}});
    bench.sim.run(bench.clock, 400);
    const Cycle first = 3 + cycles + 40 + 1;
    EXPECT_EQ(bench.arrivals(0), (std::vector<Cycle>{first, first + cycles, first + 2 * cycles})) << bytes;
    EXPECT_EQ(bench.used(), 3 * cycles);
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 192u);
  }
}

TEST(MemoryController, InterleavedBytesBelongToOneChannel) {
  for (unsigned interleave : {64u, 128u, 512u}) {
    MemoryControllerSpec spec = kSpec;
    spec.interleave = interleave;
    std::vector<std::vector<MemoryRequest>> requests(1);
    for (uint32_t i = 0; i < 8; i++) requests[0].push_back(read(64 * i, i));
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 400);
    // A client sends one per cycle; a channel takes four cycles for each.
    EXPECT_EQ(bench.arrivals(0)[1], interleave == 64 ? 49u : interleave == 128 ? 50u : 52u) << interleave;
    if (interleave == 64) { EXPECT_EQ(bench.arrivals(0).back(), 48u + 7); }
    if (interleave == 512) { EXPECT_EQ(bench.arrivals(0).back(), 48u + 7 * 4); }
  }
}

// Serves the declared number in one direction while the other waits, then turns.
TEST(MemoryController, TurnsAroundAfterTheDeclaredNumber) {
  for (unsigned most : {1u, 3u, 8u}) {
    MemoryControllerSpec spec = kSpec;
    spec.same_direction = most, spec.queue = 64;
    std::vector<std::vector<MemoryRequest>> requests(2);
    for (uint32_t i = 0; i < 60; i++)
      requests[0].push_back(read(0, i)), requests[1].push_back(write(64, 1, i));
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 3000);
    // Reads and writes in the order of service.
    std::vector<std::pair<Cycle, bool>> served;
    for (size_t client = 0; client < 2; client++)
      for (const Cycle cycle : bench.arrivals(client)) served.emplace_back(cycle, client == 1);
    std::sort(served.begin(), served.end());
    ASSERT_EQ(served.size(), 120u);
    std::vector<unsigned> runs;
    for (size_t i = 0; i < served.size(); i++)
      if (i == 0 || served[i].second != served[i - 1].second) runs.push_back(1);
      else runs.back()++;
    ASSERT_GT(runs.size(), 4u);
    for (size_t i = 1; i < 5; i++) EXPECT_EQ(runs[i], most) << i;
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 60u * 64);
    EXPECT_EQ(bench.controller.client_counters[1].write_bytes, 60u * 64);
  }
}

TEST(MemoryController, ClientsAreServedOneAfterTheOther) {
  std::vector<std::vector<MemoryRequest>> requests(3);
  for (auto& client : requests)
    for (uint32_t i = 0; i < 20; i++) client.push_back(read(0, i));
  Bench bench(kSpec, requests);
  bench.sim.run(bench.clock, 400);
  std::vector<std::pair<Cycle, size_t>> served;
  for (size_t client = 0; client < 3; client++)
    for (const Cycle cycle : bench.arrivals(client)) served.emplace_back(cycle, client);
  std::sort(served.begin(), served.end());
  ASSERT_EQ(served.size(), 60u);
  for (size_t i = 0; i < 60; i++) EXPECT_EQ(served[i].second, i % 3) << i;
}

// Clients in the order in which they were served, by arrival of the replies.
std::vector<size_t> order_of(const Bench& bench) {
  std::vector<std::pair<Cycle, size_t>> served;
  for (size_t client = 0; client < bench.sink.size(); client++)
    for (const Cycle cycle : bench.arrivals(client)) served.emplace_back(cycle, client);
  std::sort(served.begin(), served.end());
  std::vector<size_t> order;
  for (const auto& [cycle, client] : served) order.push_back(client);
  return order;
}

// Client 0 reads, client 1 writes slightly later, and both again: in that order, with turnarounds between.
TEST(MemoryController, TheOldestComesFirstWhicheverWayTheBusTurns) {
  for (const PolicyName<ChannelSchedulers> scheduler : {"same-direction", "oldest"}) {
    MemoryControllerSpec spec = kSpec;
    spec.scheduler = scheduler;
    // The channel is busy when the others arrive.
    Bench bench(spec, {{read(0), read(0), read(0)}, {write(64, 1), write(64, 2), write(64, 3)}, {read(0)}});
    bench.sim.run(bench.clock, 400);
    const bool oldest = scheduler == "oldest";
    // Cycle by cycle 0, 1 and 2 came; then 0 and 1; then 0 and 1.
    EXPECT_EQ(order_of(bench), oldest ? (std::vector<size_t>{0, 1, 2, 0, 1, 0, 1})
                                      : (std::vector<size_t>{0, 2, 0, 0, 1, 1, 1}));
    // Seven transfers, five turnarounds: three to writes, two back. Or one turnaround.
    const Cycle turns = oldest ? 3 * 4 + 2 * 6 : 4;
    EXPECT_EQ(std::max(bench.arrivals(0).back(), bench.arrivals(1).back()), 44 + 7 * 4 + turns);
  }
}

// More clients than bits in a word, each with its own replies, in turn.
TEST(MemoryController, ServesAnyNumberOfClients) {
  for (const PolicyName<ChannelSchedulers> scheduler : {"same-direction", "oldest"}) {
    MemoryControllerSpec spec = kSpec;
    spec.scheduler = scheduler;
    std::vector<std::vector<MemoryRequest>> requests(130);
    for (uint32_t client = 0; client < 130; client++)
      for (uint32_t i = 0; i < 3; i++) requests[client].push_back(read(0, 1000 * client + i));
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 44 + 4 * 390);
    std::vector<size_t> expected;
    for (size_t i = 0; i < 390; i++) expected.push_back(i % 130);
    EXPECT_EQ(order_of(bench), expected);
    for (uint32_t client = 0; client < 130; client++)
      for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(bench.sink[client]->received[i].second.tag, 1000 * client + i);
  }
}

// Each read is taken in one cycle, transferred in four and answered in one; takes without other activity are
// booked on the previous work.
TEST(MemoryController, BooksItsCyclesOnTheWorkThatItTransfersFor) {
  std::vector<MemoryRequest> requests = {read(0), read(64), read(128)};
  for (uint32_t i = 0; i < 3; i++) requests[i].origin.work = i + 1;
  Bench bench(kSpec, {requests});
  bench.source[0]->interval = 100;
  engine::Ledger& ledger = bench.sim.keep_ledger();
  bench.sim.run(bench.clock, 400);
  bench.sim.settle();
  std::map<uint32_t, uint64_t> busy, cycles;
  for (const engine::Ledger::Share& share : ledger.take(4)) {
    const Counter& counter = bench.sim.counters().counters()[share.counter];
    if (counter.path != "controller") continue;
    cycles[share.work] += share.value;
    if (counter.name == "busy") busy[share.work] += share.value;
  }
  EXPECT_EQ(busy, (std::map<uint32_t, uint64_t>{{0, 1}, {1, 6}, {2, 6}, {3, 5}}));
  EXPECT_EQ(cycles, (std::map<uint32_t, uint64_t>{{0, 2}, {1, 100}, {2, 100}, {3, 198}}));
}

}  // namespace
}  // namespace cutaway::boxes::memory_controller_test
