#include "boxes/memory_controller/own_memory.h"

#include <gtest/gtest.h>
#include <vector>

#include "base/error.h"
#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes::own_memory_test {
namespace {

using namespace memory_bench;

constexpr arch::Address kFirst = MemoryController::kOwn + 0x1000;

uint8_t byte_at(OwnMemory& own, unsigned client, arch::Address address, size_t at) {
  MemoryReply reply;
  own.act(client, memory_bench::read(address), reply);
  return static_cast<uint8_t>(reply.data[at]);
}

TEST(OwnMemory, ServesTheClientsThatWereGivenSome) {
  OwnMemory own(3);
  own.give(1, kFirst, 64);
  EXPECT_FALSE(own.serves(0));
  EXPECT_TRUE(own.serves(1));
  EXPECT_FALSE(own.serves(2));
}

// At equal addresses too.
TEST(OwnMemory, BelongsToOneClient) {
  OwnMemory own(2);
  own.give(0, kFirst, 128);
  own.give(1, kFirst, 128);
  MemoryReply reply;
  own.act(0, write(kFirst + 64, 0xaa), reply);
  EXPECT_EQ(byte_at(own, 0, kFirst + 64, 5), 0xaau);
  EXPECT_EQ(byte_at(own, 0, kFirst, 5), 0u);
  EXPECT_EQ(byte_at(own, 1, kFirst + 64, 5), 0u);
}

TEST(OwnMemory, WritesTheBytesOfTheMask) {
  OwnMemory own(1);
  own.give(0, kFirst, 64);
  MemoryReply reply;
  own.act(0, write(kFirst, 0xaa), reply);
  own.act(0, write(kFirst, 0xbb, 0, 0xff00), reply);
  for (size_t at = 0; at < 64; at++)
    EXPECT_EQ(byte_at(own, 0, kFirst, at), at / 8 == 1 ? 0xbbu : 0xaau) << at;
}

// The bit of a sector is its place in a block of four.
TEST(OwnMemory, TransfersOneSectorOfItsBlock) {
  OwnMemory own(1);
  own.give(0, kFirst, 512);
  for (uint32_t sector = 0; sector < 8; sector++) {
    MemoryReply reply;
    MemoryRequest request = memory_bench::read(kFirst + 64 * sector);
    request.mask = 0xff;
    const BlockTags::Transfers moved = own.act(0, request, reply);
    EXPECT_EQ(moved.reads, 1u << sector % 4);
    EXPECT_EQ(moved.writes, 0u);
    EXPECT_EQ(moved.bytes, 0xffu);
    const BlockTags::Transfers written = own.act(0, write(kFirst + 64 * sector, 1, 0, 0xf0), reply);
    EXPECT_EQ(written.reads, 0u);
    EXPECT_EQ(written.writes, 1u << sector % 4);
    EXPECT_EQ(written.bytes, 0xf0u);
  }
}

// As page tables: they are written between cycles, and grow.
TEST(OwnMemory, ShowsBytesThatOthersWrite) {
  std::vector<std::byte> bytes(64);
  OwnMemory own(1);
  own.give(0, kFirst, bytes);
  bytes[3] = std::byte{7};
  EXPECT_EQ(byte_at(own, 0, kFirst, 3), 7u);
  bytes.resize(1 << 16);
  bytes[0xfff0] = std::byte{9};
  EXPECT_EQ(byte_at(own, 0, kFirst + 0xffc0, 0x30), 9u);
  MemoryReply reply;
  own.act(0, write(kFirst, 0xcc), reply);
  EXPECT_EQ(bytes[3], std::byte{0xcc});
}

TEST(OwnMemory, EndsWhereItWasGiven) {
  OwnMemory own(1);
  own.give(0, kFirst, 128);
  MemoryReply reply;
  own.act(0, memory_bench::read(kFirst + 64), reply);
  EXPECT_THROW(own.act(0, memory_bench::read(kFirst + 128), reply), InternalError);
  EXPECT_THROW(own.act(0, memory_bench::read(kFirst - 64), reply), InternalError);
}

}  // namespace
}  // namespace cutaway::boxes::own_memory_test
