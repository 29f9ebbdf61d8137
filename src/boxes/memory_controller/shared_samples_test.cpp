#include <algorithm>
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "boxes/memory_controller/bench_for_test.h"
#include "structures/cache.h"

namespace cutaway::boxes::shared_samples_test {
namespace {

using namespace memory_bench;
using func::ClearRun;
using func::ClearValue;
using messages::SampleStack;

constexpr arch::Address kSurface = 0x1000;
constexpr ClearRun kLayer{kSurface, 0x2000};

ClearValue zero() { return {.mask = ~0ull}; }

// Tags over memory in which byte i is i / 64.
struct Tags {
  arch::Memory memory;
  BlockTags tags{4, 256, 4, 2, memory};

  Tags() {
    memory.map(0, 1 << 16);
    for (uint32_t i = 0; i < 1 << 16; i++) memory.write_as<uint8_t>(i, static_cast<uint8_t>(i / 64));
    tags.clear(kLayer, kLayer, zero());
  }
  BlockTags::Transfers write_all(SampleStack stack, arch::Address last, uint8_t value) {
    MemoryRequest request = memory_bench::write(last, value);
    request.stack = stack;
    return tags.write(request);
  }
  uint8_t seen(arch::Address address) {
    arch::Memory view = memory;
    tags.expand_into(view);
    return view.read_as<uint8_t>(address);
  }
  uint8_t read(arch::Address address, BlockTags::Transfers& transfers) {
    messages::MemoryReply reply;
    transfers = tags.read(memory_bench::read(address / 64 * 64), 0, reply);
    return static_cast<uint8_t>(reply.data[address % 64]);
  }
};

constexpr SampleStack kFour{4, 256};
// The third sector of the second tile, of its last sample.
constexpr arch::Address kLast = kSurface + 1024 + 3 * 256 + 128;

TEST(SharedSamples, LieInMemoryOnceAndReadAsTheyWere) {
  Tags t;
  const BlockTags::Transfers written = t.write_all(kFour, kLast, 7);
  EXPECT_EQ(written.writes, 1u << 2);
  EXPECT_EQ(written.stack_writes, 0u);
  BlockTags::Transfers read;
  for (uint32_t back = 4; back-- > 0;) {
    EXPECT_EQ(t.seen(kLast - back * 256), 7u);
    EXPECT_EQ(t.read(kLast - back * 256 + 5, read), 7u);
    EXPECT_EQ(read.reads, 0u);
    EXPECT_EQ(read.reads_last, back == 3) << "the channel keeps it";
    EXPECT_EQ(read.last, kLast);
    EXPECT_EQ(t.tags.place_of(kLast - back * 256), kLast);
  }
  EXPECT_EQ(t.memory.read_as<uint8_t>(kLast - 256), (kLast - 256) / 64 % 256) << "nothing was written there";
  EXPECT_EQ(t.seen(kLast - 64), 0u) << "cleared as before";
  EXPECT_EQ(t.tags.counters.shared_sectors, 1u);
  EXPECT_EQ(t.tags.counters.sectors_saved, 3u);
}

TEST(SharedSamples, SingleWriteKeepsOthersShared) {
  Tags t;
  t.write_all(kFour, kLast, 7);
  BlockTags::Transfers written = t.tags.write(memory_bench::write(kLast - 512, 9));
  EXPECT_EQ(written.writes, 1u << 2);
  EXPECT_FALSE(written.reads_last) << "it is written whole";
  written = t.tags.write(memory_bench::write(kLast - 768, 8, 0, 0xff));
  EXPECT_TRUE(written.reads_last);
  EXPECT_EQ(t.seen(kLast - 768), 8u);
  EXPECT_EQ(t.seen(kLast - 768 + 8), 7u);
  EXPECT_EQ(t.seen(kLast - 512), 9u);
  EXPECT_EQ(t.seen(kLast - 256), 7u);
  EXPECT_EQ(t.seen(kLast), 7u);
}

TEST(SharedSamples, SharedSampleIsCopiedBeforeItsWrite) {
  Tags t;
  t.write_all(kFour, kLast, 7);
  t.tags.write(memory_bench::write(kLast - 512, 9));
  const BlockTags::Transfers written = t.tags.write(memory_bench::write(kLast, 5));
  EXPECT_EQ(written.writes, 1u << 2);
  EXPECT_TRUE(written.reads_last);
  EXPECT_EQ(written.stack_writes, 0b1010u);
  EXPECT_EQ(t.tags.counters.parted_sectors, 2u);
  for (const auto& [back, value] : {std::pair{0u, 5u}, {1u, 7u}, {2u, 9u}, {3u, 7u}})
    EXPECT_EQ(t.memory.read_as<uint8_t>(kLast - back * 256), value);
}

TEST(SharedSamples, UntaggedMemoryIsWrittenPerSample) {
  Tags t;
  const BlockTags::Transfers written = t.write_all(kFour, 0x8000 + 3 * 256, 7);
  EXPECT_EQ(written.writes, 0u);
  EXPECT_EQ(written.stack_writes, 15u);
  for (uint32_t back = 0; back < 4; back++)
    EXPECT_EQ(t.memory.read_as<uint8_t>(0x8000 + 3 * 256 - back * 256), 7u);
  // Neither does a surface with other samples in the same memory.
  t.write_all(kFour, kLast, 7);
  EXPECT_EQ(t.write_all({2, 256}, kSurface + 256, 3).stack_writes, 3u);
  EXPECT_EQ(t.seen(kSurface + 256), 3u);
  EXPECT_EQ(t.seen(kLast - 768), 7u);
}

TEST(SharedSamples, HostAndClearsFindThem) {
  Tags t;
  t.write_all(kFour, kLast, 7);
  t.write_all(kFour, kLast + 1024, 6);
  t.tags.expand(kLast, 64);
  EXPECT_EQ(t.memory.read_as<uint8_t>(kLast - 256), 7u);
  EXPECT_EQ(t.memory.read_as<uint8_t>(kLast - 768), 7u);
  const ClearRun half{kSurface, 0x1080};
  EXPECT_EQ(t.tags.clear(kLayer, half, zero()).bytes, 0x1000u) << "whole tiles";
  EXPECT_EQ(t.seen(kLast + 1024), 0u);
  t.write_all(kFour, kLast, 7);
  EXPECT_EQ(t.tags.clear(kLayer, {kSurface, 0x500}, zero()).bytes, 0u) << "a part of a tile's samples";
  EXPECT_EQ(t.seen(kLast), 7u);
}

// A cache over tags, with a request queue per channel; channels are served in any order.
struct Machine {
  std::mt19937 random;
  SampleStack stack;
  uint32_t bytes;
  structures::Cache cache;
  arch::Memory memory;
  BlockTags tags{2, 256, 4, 2, memory};
  std::map<uint64_t, std::deque<MemoryRequest>> channels;
  std::vector<uint8_t> expected;

  Machine(uint32_t seed, SampleStack s, uint32_t line_bytes)
      : random(seed),
        stack(s),
        bytes(4 * s.bytes()),
        cache({.lines = 16, .ways = 4, .line_bytes = line_bytes, .misses = 8, .stacks = true}) {
    memory.map(0, 1 << 17);
    expected.assign(bytes, 0x11);
    tags.clear({kSurface, bytes}, {kSurface, bytes}, value());
  }
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random() % count); }
  static ClearValue value() {
    ClearValue value{.mask = ~0ull};
    value.bytes.fill(std::byte{0x11});
    return value;
  }
  void step() {
    if (cache.has_request() && below(2)) {
      channels[cache.request().address / 256 % 4].push_back(cache.request());
      cache.pop_request();
    }
    auto& queue = channels[below(4)];
    if (queue.empty() || below(3)) return;
    messages::MemoryReply reply{.tag = queue.front().tag, .write = queue.front().write};
    if (reply.write) tags.write(queue.front());
    else tags.read(queue.front(), 0, reply);
    queue.pop_front();
    cache.reply(reply);
  }
  uint32_t pin(arch::Address address, bool fetch) {
    const uint32_t sector = static_cast<uint32_t>(address % cache.line_bytes()) / 64;
    uint32_t line;
    while (cache.access(address, fetch ? 1u << sector : 0, {}, line, {.stack = stack, .surface = kSurface}) ==
           structures::Cache::Outcome::kStall)
      step();
    return line;
  }
  // Writes some bytes at the same place in some samples; mostly all samples, with one value.
  void write() {
    const uint32_t tile = below(4) * stack.bytes(), first = below(stack.stride) / 16 * 16;
    const uint32_t count = below(3) ? std::min(256u, stack.stride - first) : 16;
    const bool all = below(4) != 0;
    uint8_t value = static_cast<uint8_t>(random());
    for (uint32_t sample = 0; sample < stack.samples; sample++) {
      if (!all && below(2)) continue;
      if (!all) value++;
      for (uint32_t i = first; i < first + count; i += 16) {
        const uint32_t at = tile + sample * stack.stride + i;
        const uint32_t line = pin(kSurface + at, false);
        const std::vector<uint8_t> data(16, value);
        cache.write(line, static_cast<uint32_t>((kSurface + at) % cache.line_bytes()), data.data(), 16);
        std::fill_n(expected.begin() + at, 16, value);
        cache.unpin(line);
        if (!below(3)) step();
      }
    }
  }
  void read() {
    const uint32_t at = below(bytes) / 16 * 16;
    const uint32_t line = pin(kSurface + at, true);
    const auto offset = static_cast<uint32_t>((kSurface + at) % cache.line_bytes());
    while (!cache.ready(line, offset, 16)) step();
    EXPECT_EQ(std::memcmp(cache.data(line) + offset, &expected[at], 16), 0) << at;
    cache.unpin(line);
  }
  void flush() {
    while (!cache.flush({})) step();
  }
  void check() {
    arch::Memory view = memory;
    tags.expand_into(view);
    std::vector<uint8_t> seen(bytes);
    view.read(kSurface, seen.data(), bytes);
    EXPECT_EQ(seen, expected);
  }
};

TEST(SharedSamples, LoseNothingInAnyOrderOfChannels) {
  uint64_t stacks = 0, apart = 0, parted = 0;
  uint32_t seed = 1;
  for (const uint8_t samples : {2, 4, 8})
    for (const uint16_t stride : {64, 128, 256, 512, 1024})
      for (const uint32_t line_bytes : {64u, 256u, 512u}) {
        Machine machine(seed++, {samples, stride}, line_bytes);
        for (uint32_t i = 0; i < 400; i++) {
          machine.below(3) ? machine.write() : machine.read();
          if (!machine.below(60)) machine.flush(), machine.check();
          if (!machine.below(90)) machine.flush(), machine.cache.invalidate();
        }
        machine.flush();
        machine.check();
        if (::testing::Test::HasFailure()) FAIL() << samples << " " << stride << " " << line_bytes;
        stacks += machine.cache.packed().stacks, apart += machine.cache.packed().apart;
        parted += machine.tags.counters.parted_sectors;
      }
  EXPECT_GT(stacks, 1000u);
  EXPECT_GT(apart, 1000u);
  EXPECT_GT(parted, 100u);
}

}  // namespace
}  // namespace cutaway::boxes::shared_samples_test
