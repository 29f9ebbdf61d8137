// PRESENT: pictures are scanned out beside the packets behind it. And the phases that cycles count for.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::display_packets_test {
namespace {

using namespace testing;

constexpr Cycle kScanOut = 3000;

// A PRESENT of 64x64 pixels at kData, then what `add` adds in a second submission.
struct ScanOut : Bench {
  ScanOut() {
    dac.latency = kScanOut;
    present();
    EXPECT_TRUE(run()) << fault();
    EXPECT_TRUE(box.scans_out());
    presents_ = false;
    state();
  }
  Cycle scanned_out() const { return dac.orders.at(0).first + kScanOut + 1; }  // and known
  void target(arch::Address address) {
    arch::Registers registers{};
    auto& surface = registers.color.target[0].surface;
    surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, address);
    set(registers, surface);
  }
};
constexpr uint32_t kPicture = 64 * 64 * 4;

TEST(DisplayPackets, PresentEndsWhenTheDacHasTheSurface) {
  ScanOut bench;
  EXPECT_LT(bench.clock.now(), 300u);
  EXPECT_EQ(bench.box.counters.presents, 1u);
  bench.sim.run(bench.clock, kScanOut + 100);
  EXPECT_FALSE(bench.box.scans_out());
}

TEST(DisplayPackets, NextPresentWaitsForScanOut) {
  ScanOut bench;
  bench.draw();
  bench.present();
  ASSERT_TRUE(bench.run()) << bench.fault();
  EXPECT_LT(bench.pipeline.draws.at(0).first, 600u);
  bench.sim.run(bench.clock, 2);
  ASSERT_EQ(bench.dac.orders.size(), 2u);
  // A cycle on the wire of the answer, one on that of the order.
  EXPECT_EQ(bench.dac.orders[1].first, bench.scanned_out() + 1);
  const auto account = messages::testing::account_of(bench.sim, bench.box);
  EXPECT_GT(account.starved_by("dac"), kScanOut - 600);
  EXPECT_EQ(bench.box.counters.presents, 2u);
}

// The DAC scans out one after the other: the last of four PRESENTs waits for all but `presents` of them.
TEST(DisplayPackets, AsManyPresentsAreUnderWayAsDeclared) {
  for (unsigned presents : {1u, 2u, 3u}) {
    Bench bench({.presents = presents});
    bench.dac.latency = kScanOut;
    for (unsigned i = 0; i < 4; i++) {
      bench.present();
      ASSERT_TRUE(bench.run()) << bench.fault();
    }
    EXPECT_NEAR(static_cast<double>(bench.clock.now()), (4 - presents) * kScanOut, 300);
  }
}

// Draws wait by their targets, copies by their destinations, exact to the byte at both ends of the surface.
TEST(DisplayPackets, OnlyWritesToTheSurfaceWait) {
  const auto drawn = [](arch::Address address) {
    ScanOut bench;
    bench.target(address);
    bench.draw();
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.pipeline.draws.at(0).first == bench.scanned_out() + 1;
  };
  EXPECT_TRUE(drawn(kData));
  EXPECT_TRUE(drawn(kData + kPicture - 0x1000));
  EXPECT_TRUE(drawn(kData - 0x1000));
  EXPECT_FALSE(drawn(kData + kPicture));
  EXPECT_FALSE(drawn(kData - kPicture));
  const auto copied = [](Opcode opcode, const auto& packet) {
    ScanOut bench;
    bench.commands.packet(opcode, packet);
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.copies.orders.at(0).first == bench.scanned_out() + 1;
  };
  EXPECT_TRUE(copied(Opcode::kCopyBuffer, arch::CopyBufferPacket{0x60000, kData + kPicture - 64, 64}));
  EXPECT_FALSE(copied(Opcode::kCopyBuffer, arch::CopyBufferPacket{0x60000, kData + kPicture, 64}));
  EXPECT_FALSE(copied(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, 0x60000, 64}));
  EXPECT_TRUE(copied(Opcode::kFillBuffer, arch::FillBufferPacket{kData - 64, 68, 0}));
  EXPECT_FALSE(copied(Opcode::kFillBuffer, arch::FillBufferPacket{kData - 64, 64, 0}));
}

TEST(DisplayPackets, DisplayScansOutAnEarlierSurface) {
  Bench bench;
  bench.dac.latency = kScanOut;
  bench.box.display(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, kData));
  bench.draw();
  bench.present();
  ASSERT_TRUE(bench.run()) << bench.fault();
  bench.sim.run(bench.clock, 2);
  ASSERT_EQ(bench.dac.orders.size(), 2u);
  EXPECT_LE(bench.dac.orders[0].first, 3u);
  EXPECT_GT(bench.pipeline.draws.at(0).first, bench.dac.orders[0].first);
  EXPECT_EQ(bench.dac.orders[1].first, bench.dac.orders[0].first + kScanOut + 2);
  EXPECT_EQ(bench.box.counters.presents, 1u) << "but it has not been presented now";
}

// Each cycle counts once: for draws, else for copies, else for caches, else for waits.
TEST(DisplayPackets, EachCycleCountsOnceByPhase) {
  const auto counted = [](auto&& slow_down) {
    Bench bench;
    bench.dac.latency = kScanOut;
    slow_down(bench);
    bench.present();
    EXPECT_TRUE(bench.run());
    bench.state();
    bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{0x60000, 0x61000, 64});
    bench.draw();
    bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
    bench.present();
    EXPECT_TRUE(bench.run()) << bench.fault();
    bench.sim.settle();
    const CommandProcessorCounters& c = bench.box.counters;
    EXPECT_EQ(c.draw_cycles + c.copy_cycles + c.cache_cycles + c.display_cycles + c.command_cycles,
              bench.clock.now());
    EXPECT_LE(c.scan_out_cycles, bench.clock.now());
    return c;
  };
  const CommandProcessorCounters plain = counted([](Bench&) {});
  EXPECT_GT(plain.command_cycles, 0u);
  EXPECT_NEAR(static_cast<double>(plain.scan_out_cycles), kScanOut, 10);
  const CommandProcessorCounters draws = counted([](Bench& b) { b.pipeline.latency += 300; });
  EXPECT_EQ(draws.draw_cycles, plain.draw_cycles + 300);
  EXPECT_EQ(draws.display_cycles, plain.display_cycles - 300);
  EXPECT_EQ(draws.scan_out_cycles, plain.scan_out_cycles);
  // The copy goes on beside the draw at first.
  const CommandProcessorCounters copies = counted([](Bench& b) { b.copies.latency += 500; });
  EXPECT_EQ(copies.draw_cycles, plain.draw_cycles);
  EXPECT_GT(copies.copy_cycles, plain.copy_cycles + 400);
  EXPECT_LT(copies.copy_cycles, plain.copy_cycles + 500);
  const CommandProcessorCounters caches = counted([](Bench& b) { b.caches[1]->latency += 300; });
  EXPECT_EQ(caches.cache_cycles, plain.cache_cycles + 300);
  const CommandProcessorCounters display = counted([](Bench& b) { b.dac.latency += 300; });
  EXPECT_EQ(display.display_cycles, plain.display_cycles + 300);
  EXPECT_EQ(display.scan_out_cycles, plain.scan_out_cycles + 300);
}

}  // namespace
}  // namespace cutaway::boxes::display_packets_test
