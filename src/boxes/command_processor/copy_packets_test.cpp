// Copies go on beside work that does not use their memory.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::copy_packets_test {
namespace {

using namespace testing;

constexpr Cycle kCopy = 2000;
constexpr arch::Address kFrom = 0x60000, kTo = 0x61000;

// A copy of 64 bytes and the barriers behind it, as a driver writes them.
struct WatchedCopies : Bench {
  explicit WatchedCopies(unsigned watched = 16) : Bench({.watched_copies = watched}) {
    copies.latency = kCopy;
    copy(kFrom, kTo);
    commands.packet(Opcode::kWaitIdle);
    commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  }
  void copy(arch::Address from, arch::Address to) {
    commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{from, to, 64});
  }
  Cycle copied() const { return copies.orders.at(0).first + kCopy + 1; }  // and known
  template <class T>
  void set_assembly(const T& part) {
    set(registers, part);
  }
  arch::Registers registers{};
};

// When a draw behind the packets of `add` leaves: cycles after the copy is known to be done.
template <class Add>
int64_t left_after_copy(unsigned watched, const Add& add) {
  WatchedCopies bench(watched);
  add(bench);
  bench.draw();
  EXPECT_TRUE(bench.run()) << bench.fault();
  EXPECT_GE(bench.clock.now(), bench.copied()) << "the submission ends with its copies";
  return static_cast<int64_t>(bench.pipeline.draws.at(0).first) - static_cast<int64_t>(bench.copied());
}

TEST(CopyPackets, BarriersAndDrawsGoOnBesideCopies) {
  const auto nothing = [](WatchedCopies&) {};
  EXPECT_LT(left_after_copy(16, nothing), -1500);
  EXPECT_GT(left_after_copy(0, nothing), 0);
}

TEST(CopyPackets, ReadersOfCopyDestinationsWait) {
  const auto attributes = [](arch::Address address, uint32_t bytes) {
    return left_after_copy(16, [=](WatchedCopies& b) {
      auto& assembly = b.registers.assembly;
      assembly.attribute[3] = {static_cast<uint32_t>(arch::Format::R32_UINT), 2, 0};
      assembly.binding[2] = {.address = address, .bytes = bytes, .stride = 4};
      b.set_assembly(assembly.attribute[3]);
      b.set_assembly(assembly.binding[2]);
    });
  };
  EXPECT_EQ(attributes(kTo + 32, 4), 1);
  EXPECT_EQ(attributes(kTo - 0x1000, 0x1001), 1);
  EXPECT_EQ(attributes(kTo + 508, 4), 1) << "a line of a cache may hold both";
  EXPECT_LT(attributes(kTo + 512, 4), -1500);
  EXPECT_LT(attributes(kTo - 0x1000, 0x1000), -1500);
  EXPECT_LT(attributes(kFrom, 64), -1500) << "what is only read may be read";
}

TEST(CopyPackets, DrawsToCopiedMemoryWait) {
  const auto drawn = [](arch::Address address, bool depth) {
    return left_after_copy(16, [=](WatchedCopies& b) {
      auto& surface = depth ? b.registers.depth.surface : b.registers.color.target[1].surface;
      surface = messages::testing::surface(
          depth ? arch::Format::X8_D24_UNORM_PACK32 : arch::Format::R8G8B8A8_UNORM, 8, 8, address);
      b.set_assembly(surface);
    });
  };
  for (const bool depth : {false, true}) {
    EXPECT_EQ(drawn(kTo, depth), 1);
    EXPECT_EQ(drawn(kFrom, depth), 1);
    EXPECT_LT(drawn(kFrom + 0x200, depth), -1500);
  }
}

TEST(CopyPackets, LoadsOfCopyDestinationsWait) {
  const auto loaded = [](arch::Address address) {
    return left_after_copy(16, [=](WatchedCopies& b) {
      b.commands.packet(Opcode::kLoadConstants,
                        arch::LoadPacket{static_cast<uint32_t>(arch::Stage::kVertex), 0, 4, address});
    });
  };
  EXPECT_GT(loaded(kTo), 0);
  EXPECT_GT(loaded(kTo - 48), 0);
  EXPECT_LT(loaded(kTo - 64), -1500);
  EXPECT_LT(loaded(kTo + 512), -1500);
}

TEST(CopyPackets, ValuesAndPresentsWaitForAllCopies) {
  const auto written = [](const auto& add) { return left_after_copy(16, [&](WatchedCopies& b) { add(b); }); };
  EXPECT_GT(written([](WatchedCopies& b) {
              b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData, 1});
            }),
            0);
  EXPECT_GT(written([](WatchedCopies& b) { b.present(); }), 0);
}

// A copy beyond the declared number waits, and the packets behind it wait with it.
TEST(CopyPackets, WatchesAsManyCopiesAsDeclared) {
  for (const unsigned watched : {1u, 2u, 3u}) {
    WatchedCopies bench(watched);
    for (uint32_t i = 1; i < 3; i++) bench.copy(kFrom + 0x1000 * i, kTo + 0x4000 + 0x1000 * i);
    bench.draw();
    EXPECT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.copies.orders.size(), 3u);
    const Cycle before = bench.pipeline.draws.at(0).first / kCopy;  // copies that had ended
    EXPECT_EQ(before, 3 - watched);
  }
}

}  // namespace
}  // namespace cutaway::boxes::copy_packets_test
