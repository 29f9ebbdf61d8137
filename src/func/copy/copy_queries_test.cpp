#include <gtest/gtest.h>

#include "arch/memory.h"
#include "func/copy/copy_surface.h"

namespace cutaway::func {
namespace {

constexpr arch::Address kSlots = 0x1000, kResults = 0x2000;

struct Copy {
  arch::Memory memory;
  arch::CopyQueriesPacket packet{kSlots, kResults, 32, 2, 64, 1, 0};

  Copy() {
    memory.map(0, 0x4000);
    const arch::QuerySlot slots[4] = {{10, 15, 1, 0}, {0, 0x1'0000'0007, 1, 0}, {3, 9, 0, 0}, {5, 5, 0, 0}};
    memory.write(kSlots, slots, sizeof slots);
    const std::vector<uint32_t> marks(64, 0x77777777);
    memory.write(kResults, marks.data(), 256);
  }
  // Runs the packet as the emulator and the copy engine do.
  void run() {
    ASSERT_EQ(copy_error(packet), nullptr);
    CopyCursor cursor(packet, 64);
    CopyChunk chunk;
    while (cursor.next(chunk)) {
      EXPECT_EQ(chunk.source / 64, (chunk.source + chunk.source_bytes - 1) / 64);
      EXPECT_EQ(chunk.destination / 64, (chunk.destination + chunk.destination_bytes - 1) / 64);
      std::byte source[64], destination[64];
      memory.read(chunk.source, source, chunk.source_bytes);
      if (chunk.reads_destination) memory.read(chunk.destination, destination, chunk.destination_bytes);
      cursor.finish(chunk, source, destination);
      memory.write(chunk.destination, destination, chunk.destination_bytes);
    }
  }
  uint64_t at(uint64_t offset) const { return memory.read_as<uint64_t>(kResults + offset); }
  uint32_t word(uint64_t offset) const { return memory.read_as<uint32_t>(kResults + offset); }
};

TEST(CopyQueries, WritesDifferencesAndAvailability) {
  Copy copy;
  copy.packet.values = 3;
  copy.packet.flags = arch::kQueries64Bit | arch::kQueriesAvailability;
  copy.run();
  EXPECT_EQ(copy.at(0), 5u);
  EXPECT_EQ(copy.at(8), 0x1'0000'0007u);
  EXPECT_EQ(copy.at(16), 1u);
  EXPECT_EQ(copy.at(32), 0x7777777777777777u);  // unavailable
  EXPECT_EQ(copy.at(40), 0x7777777777777777u);
  EXPECT_EQ(copy.at(48), 0u);
}

TEST(CopyQueries, WritesLowWordsAndPartialResultsAsZero) {
  Copy copy;
  copy.packet.values = 2;
  copy.packet.stride = 4;
  copy.packet.flags = arch::kQueriesPartial;
  copy.run();
  EXPECT_EQ(copy.word(0), 7u);
  EXPECT_EQ(copy.word(4), 0u);
  EXPECT_EQ(copy.word(8), 0x77777777u);
}

TEST(CopyQueries, RefusesIllegalPackets) {
  const auto error = [](auto change) {
    Copy copy;
    change(copy.packet);
    return copy_error(copy.packet) != nullptr;
  };
  using Packet = arch::CopyQueriesPacket;
  EXPECT_TRUE(error([](Packet& p) { p.values = 0; }));
  EXPECT_TRUE(error([](Packet& p) { p.values = 1 << 16; }));
  EXPECT_TRUE(error([](Packet& p) { p.flags = 8; }));
  EXPECT_TRUE(error([](Packet& p) { p.source = kSlots + 8; }));
  EXPECT_TRUE(error([](Packet& p) { p.destination = kResults + 2; }));
  EXPECT_TRUE(error([](Packet& p) { p.flags = arch::kQueries64Bit, p.destination = kResults + 4; }));
  EXPECT_TRUE(error([](Packet& p) { p.stride = 4, p.flags = arch::kQueriesAvailability; }));
  EXPECT_TRUE(error([](Packet& p) { p.destination = kSlots; }));
  EXPECT_TRUE(error([](Packet& p) { p.queries = ~0u, p.source_stride = ~31u; }));
  EXPECT_TRUE(error([](Packet& p) { p.queries = ~0u, p.stride = uint64_t{1} << 62; }));
  EXPECT_FALSE(error([](Packet& p) { p.queries = 0; }));
}

}  // namespace
}  // namespace cutaway::func
