// Cycle-exact tests of the banks and rows of one channel: open, closed and conflicting rows, refreshes, bus
// turnarounds, and the resulting rates.
#include "boxes/memory_controller/banked_dram.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace cutaway::boxes::banked_dram_test {
namespace {

using Cycle = engine::Cycle;

// Eight interleaved rows of 1024 bytes; a burst takes 4 cycles, a row cycle 35. No refresh.
constexpr MemoryControllerSpec kBanks{.bytes_per_cycle = 16,
                                      .read_to_write = 4,
                                      .write_to_read = 15,
                                      .dram = "banked",
                                      .banks = 8,
                                      .row_bytes = 1024,
                                      .t_rcd = 12,
                                      .t_rp = 10,
                                      .t_ras = 25,
                                      .t_cl = 9,
                                      .t_wl = 7,
                                      .t_wr = 11,
                                      .t_rrd = 8,
                                      .t_refi = 0,
                                      .t_rfc = 60};
constexpr Cycle kRowCycle = 25 + 10;
constexpr uint64_t kRow = 1024, kNextRow = 8 * kRow;  // the next bank's row; the next row of a bank

// Serves transactions one after the other, each as early as possible.
struct Channel {
  explicit Channel(const MemoryControllerSpec& spec = kBanks) : dram(spec) {}
  Cycle serve(uint64_t address, bool write = false, Cycle from = 0, uint32_t bytes = 64) {
    Cycle now = std::max(from, dram.next());
    for (dram.advance(now); dram.next() > now; dram.advance(now)) now = dram.next();
    return dram.serve(now, address, write, bytes);
  }
  Cycle read(uint64_t address, Cycle from = 0) { return serve(address, false, from); }
  Cycle write(uint64_t address, Cycle from = 0) { return serve(address, true, from); }

  BankedDram dram;
};

TEST(BankedDram, ClosedRowIsActivatedFirst) {
  Channel channel;
  EXPECT_EQ(channel.read(64, 100), 100u + 12 + 9 + 4);
  Channel writes;
  EXPECT_EQ(writes.write(64, 100), 100u + 12 + 7 + 4);
  EXPECT_EQ(channel.dram.counters.row_miss, 1u);
}

TEST(BankedDram, OpenRowCostsOnlyTheColumn) {
  Channel channel;
  channel.read(0, 100);
  EXPECT_EQ(channel.read(960, 1000), 1000u + 9 + 4);
  EXPECT_EQ(channel.dram.counters.row_hit, 1u);
}

TEST(BankedDram, AnotherRowIsClosedFirst) {
  Channel channel;
  channel.read(0, 100);
  EXPECT_EQ(channel.read(kNextRow, 1000), 1000u + 10 + 12 + 9 + 4);
  EXPECT_EQ(channel.dram.counters.row_conflict, 1u);
  EXPECT_EQ(channel.read(kNextRow + kRow, 2000), 2000u + 12 + 9 + 4);  // another bank
  EXPECT_EQ(channel.dram.counters.row_miss, 2u);
}

// Activated in 100: closed no earlier than 125.
TEST(BankedDram, ARowStaysOpenForItsTime) {
  Channel channel;
  channel.read(0, 100);
  EXPECT_EQ(channel.read(kNextRow, 101), 100u + 25 + 10 + 12 + 9 + 4);
}

// Its command is issued in 125 and its data pass until 138: the row is closed no earlier than 129.
TEST(BankedDram, ARowIsClosedAfterItsLastRead) {
  Channel channel;
  channel.read(0, 100);
  EXPECT_EQ(channel.read(64, 125), 138u);
  EXPECT_EQ(channel.read(kNextRow, 126), 129u + 10 + 12 + 9 + 4);
}

TEST(BankedDram, ARowIsClosedAfterItsLastWriteHasRecovered) {
  Channel channel;
  const Cycle written = channel.write(0, 100);
  EXPECT_EQ(channel.write(kNextRow, 101), written + 11 + 10 + 12 + 7 + 4);
}

TEST(BankedDram, ActivationsKeepTheirDistance) {
  MemoryControllerSpec spec = kBanks;
  spec.t_rrd = 8;
  Channel channel(spec);
  const Cycle first = channel.read(0, 100);
  EXPECT_EQ(channel.read(kRow, 101), first + 8);
  EXPECT_EQ(channel.read(2 * kRow, 102), first + 16);
}

TEST(BankedDram, TheBusTurnsAround) {
  Channel channel;
  Cycle end = channel.read(0, 100);
  EXPECT_EQ(channel.write(64), end + 4 + 4);
  EXPECT_EQ(channel.read(128), end + 4 + 4 + 15 + 4);
  EXPECT_EQ(channel.dram.counters.turned, 4u + 15);
  // An idle bus turns around without cost.
  EXPECT_EQ(channel.write(0, 1000), 1000u + 7 + 4);
  EXPECT_EQ(channel.dram.counters.turned, 4u + 15);
}

// Due in 500, when the channel is idle: closes the open row, and takes until 570.
TEST(BankedDram, ARefreshClosesAllRows) {
  MemoryControllerSpec spec = kBanks;
  spec.t_refi = 500;
  for (const bool early : {false, true}) {
    Channel channel(spec);
    channel.read(0, 100), channel.read(kRow, 101);
    if (early) { EXPECT_EQ(channel.read(0, 499), 499u + 9 + 4); }
    const Cycle begin = early ? 499 + 9 + 4 : 500;
    EXPECT_EQ(channel.read(0, 520), begin + 10 + 60 + 12 + 9 + 4);
    EXPECT_EQ(channel.dram.counters.refreshed, 70u);
    EXPECT_EQ(channel.dram.counters.row_miss, 3u);
    // Without an open row there is nothing to close.
    channel.dram.advance(1000);
    channel.dram.advance(1500);
    EXPECT_EQ(channel.read(0, 1500), 1500u + 60 + 12 + 9 + 4);
    EXPECT_EQ(channel.dram.counters.refreshed, 70u + 70 + 60);
  }
}

// Refreshes are the same with and without intermediate calls of advance().
TEST(BankedDram, RefreshesDoNotDependOnCalls) {
  MemoryControllerSpec spec = kBanks;
  spec.t_refi = 300;
  Channel looked_at(spec), alone(spec);
  std::mt19937 random(5);
  Cycle now = 1;
  for (unsigned i = 0; i < 400; i++) {
    const Cycle before = now;
    now += random() % 3 ? random() % 8 : random() % 900;
    for (Cycle cycle = before; cycle < now; cycle += 1 + random() % 50) looked_at.dram.settle(cycle);
    const uint64_t address = random() % 32 * 512;
    const bool write = random() % 4 == 0;
    ASSERT_EQ(looked_at.serve(address, write, now), alone.serve(address, write, now));
    now = std::max(now, alone.dram.next());
  }
  looked_at.dram.settle(now), alone.dram.settle(now);
  EXPECT_EQ(looked_at.dram.counters.refreshed, alone.dram.counters.refreshed);
  EXPECT_EQ(looked_at.dram.counters.rested, alone.dram.counters.rested);
}

TEST(BankedDram, EveryCycleIsCountedOnce) {
  MemoryControllerSpec spec = kBanks;
  spec.t_refi = 400;
  Channel channel(spec);
  std::mt19937 random(7);
  Cycle now = 1, end = 0;
  for (unsigned i = 0; i < 2000; i++) {
    now = std::max(now + (random() % 10 ? 0 : random() % 200), channel.dram.next());
    end = channel.serve(random() % 64 * 256, random() % 2, now);
    if (random() % 5) continue;
    now = end + random() % 1000;
    channel.dram.settle(now);
  }
  const Cycle last = end + 5000;
  channel.dram.settle(last);
  const ChannelCounters& counted = channel.dram.counters;
  EXPECT_EQ(counted.used, 2000u * 4);
  EXPECT_EQ(counted.bytes_read + counted.bytes_written, 2000u * 64);
  EXPECT_EQ(counted.row_hit + counted.row_miss + counted.row_conflict, 2000u);
  for (const uint64_t some : {counted.turned, counted.rows, counted.refreshed, counted.rested})
    EXPECT_GT(some, 1000u);
  // A started refresh may not be over.
  const uint64_t sum = counted.used + counted.turned + counted.rows + counted.refreshed + counted.rested;
  EXPECT_GE(sum, last);
  EXPECT_LE(sum, last + 70);
}

// Cycles per transaction of a busy channel.
double cycles_each(Channel& channel, unsigned count, const std::function<uint64_t(unsigned)>& address) {
  for (unsigned i = 0; i < 100; i++) channel.read(address(i));
  const Cycle begin = channel.dram.transferred();
  for (unsigned i = 0; i < count; i++) channel.read(address(100 + i));
  return static_cast<double>(channel.dram.transferred() - begin) / count;
}

// Only the bus and refreshes limit it: each t_refi loses tRP, tRFC and the time to the first data.
TEST(BankedDram, AStreamReachesThePeakButForRefreshes) {
  for (const DramOrder order : {DramOrder::kRowBankColumn, DramOrder::kRowColumnBank})
    for (const bool hash : {false, true}) {
      MemoryControllerSpec spec = kBanks;
      spec.order = order, spec.bank_hash = hash, spec.t_refi = 3120;
      spec.t_rrd = 4;  // a burst: sectors interleaved over the banks open a row each
      Channel channel(spec);
      const double each = cycles_each(channel, 100'000, [](unsigned i) { return uint64_t{i} * 64; });
      const double expected = 4.0 * 3120 / (3120 - (10 + 60 + 12 + 9));
      EXPECT_NEAR(each, expected, 0.02 * expected) << static_cast<int>(order) << hash;
      RecordProperty("stream", fmt::format("{:.3f} of {:.3f}", each, expected));
    }
}

TEST(BankedDram, RowsOfOneBankComeARowCycleApart) {
  Channel channel;
  const double each = cycles_each(channel, 10'000, [](unsigned i) { return i * kNextRow; });
  EXPECT_DOUBLE_EQ(each, kRowCycle);
}

// Rows of several banks in turn: the bus, the activation distance, or the row cycle is the limit.
TEST(BankedDram, RowsOfSeveralBanksOverlap) {
  for (const unsigned banks : {1u, 2u, 3u, 4u, 5u, 8u})
    for (const unsigned t_rrd : {1u, 8u}) {
      MemoryControllerSpec spec = kBanks;
      spec.t_rrd = t_rrd;
      Channel channel(spec);
      const double each =
          cycles_each(channel, 30'000, [&](unsigned i) { return i % banks * kRow + i / banks * kNextRow; });
      const double expected = std::max({4.0, static_cast<double>(t_rrd), 1.0 * kRowCycle / banks});
      EXPECT_NEAR(each, expected, 0.02 * expected) << banks << " " << t_rrd;
    }
}

// Finds an address's bank and row from the next access: a hit, a miss or a conflict.
TEST(BankedDram, AddressesLieInTheirOrder) {
  const auto meets = [](DramOrder order, bool hash, uint64_t first, uint64_t second) {
    MemoryControllerSpec spec = kBanks;
    spec.order = order, spec.bank_hash = hash;
    Channel channel(spec);
    channel.read(first), channel.read(second);
    const ChannelCounters& counted = channel.dram.counters;
    return counted.row_hit ? "hit" : counted.row_conflict ? "conflict" : "miss";
  };
  constexpr auto kRows = DramOrder::kRowBankColumn, kSectors = DramOrder::kRowColumnBank;
  EXPECT_STREQ(meets(kRows, false, 0, 1023), "hit");
  EXPECT_STREQ(meets(kRows, false, 0, 1024), "miss");
  EXPECT_STREQ(meets(kRows, false, 0, 8 * 1024), "conflict");
  EXPECT_STREQ(meets(kRows, false, 1024, 9 * 1024), "conflict");
  EXPECT_STREQ(meets(kSectors, false, 0, 64), "miss");
  EXPECT_STREQ(meets(kSectors, false, 0, 512), "hit");
  EXPECT_STREQ(meets(kSectors, false, 0, 8 * 1024 - 512), "hit");
  EXPECT_STREQ(meets(kSectors, false, 0, 8 * 1024), "conflict");
  // With the hash, bank 0 of row 1 becomes bank 1.
  EXPECT_STREQ(meets(kRows, true, 0, 8 * 1024), "miss");
  EXPECT_STREQ(meets(kRows, true, 1024, 8 * 1024), "conflict");
  EXPECT_STREQ(meets(kSectors, true, 64, 8 * 1024), "conflict");
}

}  // namespace
}  // namespace cutaway::boxes::banked_dram_test
