#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>

#include "boxes/memory_controller/bench_for_test.h"
#include "boxes/memory_controller/block_tags.h"
#include "func/rop/depth_block.h"

// Tags over a memory whose words are their addresses, and a layer with a compressed block.
namespace cutaway::boxes::block_tags_bench {

using namespace memory_bench;
using func::ClearRun;
using func::ClearValue;

inline ClearValue value_of(uint32_t element, uint32_t mask = ~0u) {
  ClearValue value;
  for (uint32_t i = 0; i < func::kClearBytes; i++) {
    value.bytes[i] = static_cast<std::byte>(element >> i % 4 * 8);
    if (mask >> i % 4 * 8 & 0xff) value.mask |= 1ull << i;
  }
  return value;
}

struct Tags {
  arch::Memory memory;
  BlockTags tags;

  explicit Tags(unsigned regions = 4, unsigned blocks = 256) : tags(regions, blocks, 2, 2, memory) {
    memory.map(0, 1 << 17);
    for (uint32_t i = 0; i < 1 << 17; i += 4) memory.write_as<uint32_t>(i, i);
  }
  ClearRun clear(ClearRun layer, ClearRun run, const ClearValue& value) {
    return tags.clear(layer, run, value);
  }
  uint32_t seen(arch::Address address) {
    arch::Memory view = memory;
    tags.expand_into(view);
    return view.read_as<uint32_t>(address);
  }
  uint32_t read(arch::Address address, bool& transfers) {
    messages::MemoryReply reply;
    transfers = tags.read(memory_bench::read(address / 64 * 64), 0, reply).reads != 0;
    uint32_t word;
    std::memcpy(&word, reply.data.data() + address % 64, 4);
    return word;
  }
};

inline constexpr ClearRun kLayer{0x1000, 0x2000};
inline constexpr arch::Address kBlock = 0x1400;

// A block of depths with a stencil in the upper bits, plain and compressed.
struct Depths {
  std::array<uint32_t, 64> plain;
  std::array<std::byte, 256> packed{};
  uint32_t sectors;

  // noise: 0 for one sector, 4095 for two.
  explicit Depths(uint32_t noise) {
    for (uint32_t i = 0; i < 64; i++)
      plain[i] = 0x33400000 + 1000 * (i % 4) + (i * 2654435761u >> 16 & noise);
    sectors = func::pack_depth_block(reinterpret_cast<const std::byte*>(plain.data()), 24, packed.data());
  }
  // True if the address reads as this word.
  bool is(arch::Address address, uint32_t word) const { return plain[(address - kBlock) / 4] == word; }
};

struct PackedTags : Tags {
  explicit PackedTags(const Depths& depths) {
    clear(kLayer, kLayer, value_of(0x11223344));
    for (uint32_t s = 0; s < depths.sectors; s++) {
      MemoryRequest request = write(kBlock + 64 * s, 0);
      request.packed = static_cast<uint8_t>(depths.sectors);
      std::copy_n(depths.packed.begin() + 64 * s, 64, request.data.begin());
      EXPECT_EQ(tags.write(request).writes, 1u << s);
    }
  }
  unsigned reads(arch::Address address, unsigned channel = 0) {
    messages::MemoryReply reply;
    return tags.read(memory_bench::read(address), channel, reply).reads;
  }
};

}  // namespace cutaway::boxes::block_tags_bench
