// Memory that moves 32 bytes at once: half sectors, whenever no more is requested.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "boxes/memory_controller/banked_dram.h"
#include "boxes/memory_controller/bench_for_test.h"
#include "boxes/memory_controller/simple_dram.h"
#include "func/rop/depth_block.h"

namespace cutaway::boxes::access_bytes_test {
namespace {

using namespace memory_bench;
using messages::byte_mask;
using messages::ByteMask;
using messages::kAllBytes;

constexpr ByteMask kFirst = byte_mask(0, 32), kSecond = byte_mask(32, 32);

MemoryControllerSpec halves() {
  MemoryControllerSpec spec = kSpec;
  spec.access_bytes = 32;
  return spec;
}

MemoryRequest read_of(arch::Address address, ByteMask mask) {
  MemoryRequest request = read(address);
  request.mask = mask;
  return request;
}

// ---- A channel ----

TEST(AccessBytes, ATransferTakesTheCyclesOfItsBytesRoundedUp) {
  for (const unsigned per_cycle : {1u, 3u, 16u, 24u, 32u, 64u})
    for (const uint32_t bytes : {32u, 64u}) {
      MemoryControllerSpec spec = kSpec;
      spec.bytes_per_cycle = per_cycle;
      SimpleDram simple(spec);
      EXPECT_EQ(simple.serve(100, 0, false, bytes), 100 + (bytes + per_cycle - 1) / per_cycle);
      EXPECT_EQ(simple.counters.bytes_read, bytes);
      BankedDram banked(spec);
      const Cycle begin = banked.timing(100, 0, true).begin;
      EXPECT_EQ(banked.serve(100, 0, true, bytes), begin + (bytes + per_cycle - 1) / per_cycle);
      EXPECT_EQ(banked.counters.bytes_written, bytes);
    }
}

// ---- The controller: sent in 1, there in 2, served in 3, latency, a wire of 1 ----

constexpr Cycle kNoTransfer = 3 + kSpec.latency + 1;

TEST(AccessBytes, AHalfTakesTheBusHalfAsLong) {
  for (const ByteMask mask : {kFirst, kSecond, byte_mask(4, 4), byte_mask(63, 1)}) {
    Bench bench(halves(), {{read_of(0, mask)}});
    bench.sim.run(bench.clock, kNoTransfer + 2 - 1);
    EXPECT_TRUE(bench.sink[0]->received.empty());
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.arrivals(0), std::vector<Cycle>{kNoTransfer + 2});
    EXPECT_EQ(bench.used(), 2u);
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 32u);
    EXPECT_EQ(bench.controller.channel_counters(0).bytes_read, 32u);
  }
}

TEST(AccessBytes, BothHalvesTakeAllOfTheTime) {
  for (const ByteMask mask : {kAllBytes, byte_mask(31, 2)}) {
    Bench bench(halves(), {{read_of(0, mask)}});
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.arrivals(0), std::vector<Cycle>{kNoTransfer + 4});
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u);
    EXPECT_EQ(bench.sink[0]->received[0].second.mask, kAllBytes);
  }
}

// Memory that moves at least 64 bytes moves and returns all of them.
TEST(AccessBytes, WholeSectorsMoveWhereMemoryMovesNoLess) {
  Bench bench(kSpec, {{read_of(0, kFirst), write(64, 1, 0, kSecond)}});
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.arrivals(0)[0], kNoTransfer + 4);
  EXPECT_EQ(bench.sink[0]->received[0].second.mask, kAllBytes);
  EXPECT_EQ(bench.used(), 8u);
  EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 64u);
}

TEST(AccessBytes, OnlyRequestedBytesAreReturned) {
  Bench bench(halves(), {{write(0, 0xaa), read_of(0, byte_mask(40, 4)), read_of(0, byte_mask(0, 1))}});
  bench.sim.run(bench.clock, 300);
  ASSERT_EQ(bench.sink[0]->received.size(), 3u);
  for (const size_t half : {0u, 1u}) {
    const MemoryReply& reply = bench.sink[0]->received[2 - half].second;
    EXPECT_EQ(reply.mask, half ? kSecond : kFirst);
    for (size_t i = 0; i < 64; i++)
      EXPECT_EQ(reply.data[i], i / 32 == half ? std::byte{0xaa} : std::byte{0}) << half << ", " << i;
  }
}

TEST(AccessBytes, HalvesAtDifferentTimesAreTwoTransfers) {
  Bench bench(halves(), {{read_of(0, kFirst), read_of(0, kSecond), read_of(0, kAllBytes)}});
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.arrivals(0),
            (std::vector<Cycle>{kNoTransfer + 2, kNoTransfer + 2 + 2, kNoTransfer + 2 + 2 + 4}));
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 128u);
}

// Behind a read being served, three halves wait: the third is merged with the first.
TEST(AccessBytes, AHalfJoinsAReadOfItsSectorThatWaits) {
  MemoryRequest other = read_of(64, kFirst);
  other.tag = 7;
  Bench bench(halves(), {{read(1024), read(1024 + 64), read_of(0, kFirst), other, read_of(0, kSecond)}});
  bench.memory.write_as<uint32_t>(4, 3), bench.memory.write_as<uint32_t>(36, 5);
  bench.sim.run(bench.clock, 200);
  // 64 bytes, 64, both halves together, 32; the last reply follows a wire's cycle later.
  const Cycle start = kNoTransfer;
  EXPECT_EQ(bench.arrivals(0),
            (std::vector<Cycle>{start + 4, start + 8, start + 12, start + 14, start + 15}));
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u + 64 + 64 + 32);
  const auto& replies = bench.sink[0]->received;
  EXPECT_EQ(replies[2].second.mask, kFirst);
  EXPECT_EQ(replies[2].second.data[4], std::byte{3});
  EXPECT_EQ(replies[2].second.data[36], std::byte{0});
  EXPECT_EQ(replies[4].second.mask, kSecond);
  EXPECT_EQ(replies[4].second.data[36], std::byte{5});
}

// A write between them is not overtaken.
TEST(AccessBytes, AHalfDoesNotPassAWriteOfItsSector) {
  Bench bench(halves(), {{read(1024), read(1024 + 64), read_of(0, kFirst), write(0, 9, 0, kSecond),
                          read_of(0, kSecond)}});
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.sink[0]->received.size(), 5u);
  EXPECT_EQ(bench.sink[0]->received[4].second.data[63], std::byte{9});
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u + 64 + 32 + 32);
}

TEST(AccessBytes, AWriteOfOneHalfMovesThatHalf) {
  for (const auto& [mask, cycles] : {std::pair{kSecond, 2u}, {byte_mask(7, 1), 2}, {byte_mask(30, 8), 4}}) {
    Bench bench(halves(), {{write(0, 0xbb, 0, mask)}});
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.used(), cycles);
    EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 16u * cycles);
    EXPECT_EQ(bench.controller.channel_counters(0).bytes_written, 16u * cycles);
    for (uint32_t i = 0; i < 64; i++)
      EXPECT_EQ(bench.memory.read_as<uint8_t>(i), mask >> i & 1 ? 0xbb : 0) << i;
  }
}

TEST(AccessBytes, MemoryOfItsOwnMovesHalvesToo) {
  constexpr arch::Address kOwn = MemoryController::kOwn;
  Bench bench(halves(), {{write(kOwn, 0xcc, 0, kFirst), read_of(kOwn, kFirst)}});
  bench.controller.give_own(0, kOwn, 64);
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.used(), 4u);
  ASSERT_EQ(bench.sink[0]->received.size(), 2u);
  EXPECT_EQ(bench.sink[0]->received[1].second.data[31], std::byte{0xcc});
}

// ---- Where tags say more of a block, whole sectors move ----

constexpr arch::Address kLayer = 0x1000;
constexpr uint64_t kLayerBytes = 0x1000;

// A clear of some or all bytes.
void clear(Bench& bench, ByteMask mask) {
  func::ClearValue value{.mask = mask};
  value.bytes.fill(std::byte{0x77});
  ASSERT_NE(bench.controller.tags().clear({kLayer, kLayerBytes}, {kLayer, kLayerBytes}, value).bytes, 0u);
}

TEST(AccessBytes, ACompressedBlockMovesWholeSectors) {
  uint32_t depths[64];
  for (uint32_t i = 0; i < 64; i++) depths[i] = 1000 + i % 8;
  std::byte packed[func::kDepthBlockBytes];
  ASSERT_EQ(func::pack_depth_block(reinterpret_cast<const std::byte*>(depths), 32, packed), 1u);
  MemoryRequest block = write(kLayer, 0);
  block.packed = 1;
  std::memcpy(block.data.data(), packed, 64);

  Bench bench(halves(), {{block, read_of(kLayer + 64, kFirst), write(kLayer, 5, 0, kSecond)}});
  clear(bench, kAllBytes);
  bench.sim.run(bench.clock, 300);
  ASSERT_EQ(bench.sink[0]->received.size(), 3u);
  const MemoryReply& reply = bench.sink[0]->received[1].second;
  EXPECT_EQ(std::memcmp(reply.data.data(), &depths[16], 32), 0);
  EXPECT_EQ(reply.data[32], std::byte{0});
  // The read moves the block's single sector; the write reads it again and writes four.
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u + 64);
  EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 64u + 256);
}

TEST(AccessBytes, PartlyClearedSectorMovesWhole) {
  Bench bench(halves(), {{read_of(kLayer, kFirst), write(kLayer, 5, 0, kFirst), read_of(kLayer, kFirst)}});
  clear(bench, 0x0f0f0f0f0f0f0f0f);
  bench.sim.run(bench.clock, 300);
  // The write stores the value's bytes in memory: the sector is plain again, and can be halved.
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u + 32);
  EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 64u);
}

TEST(AccessBytes, ASectorThatSamplesShareMovesWhole) {
  MemoryRequest stack = write(kLayer + 3 * 256, 9);
  stack.stack = {4, 256};
  // Read, partly written, and no longer shared; then partly written like any other.
  const arch::Address sample = kLayer + 256;
  Bench bench(halves(), {{stack, read_of(sample, kFirst), write(sample, 8, 0, kSecond),
                          write(sample, 7, 0, kSecond), read_of(sample, kSecond)}});
  clear(bench, kAllBytes);
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.controller.tags().counters.shared_sectors, 1u);
  EXPECT_EQ(bench.controller.client_counters[0].write_bytes, 64u + 64 + 32);
  EXPECT_EQ(bench.controller.client_counters[0].read_bytes, 64u + 64 + 32);
}

}  // namespace
}  // namespace cutaway::boxes::access_bytes_test
