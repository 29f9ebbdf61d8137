// Hierarchical Z with several depth surfaces, and with several rasterisers.
#include <bit>
#include <gtest/gtest.h>

#include "boxes/hierarchical_z/hs_buffer.h"
#include "boxes/hierarchical_z/hz_buffer.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::hz_surfaces_test {
namespace {

using Outcome = HzBuffer::Outcome;
using Verdict = HzBuffer::Verdict;
constexpr auto kLess = arch::Compare::kLess, kGreater = arch::Compare::kGreater,
               kAlways = arch::Compare::kAlways;

constexpr arch::Address kOf[] = {messages::testing::kDepthAddress,
                                 messages::testing::kDepthAddress + 0x100000};

struct Bench {
  HzMemory memory;
  HzBuffer buffer;
  uint32_t size;

  Bench(uint32_t entries, uint32_t surfaces, HzFlip flip = HzFlip::kRelearn, uint32_t size_ = 64,
        const structures::OwnedTiles& tiles = structures::OwnedTiles())
      : memory(entries, surfaces, tiles), buffer(memory, {8}, false, flip), size(size_) {}

  // Draws a tile of a surface.
  Verdict draw(uint32_t surface, float z, arch::Compare compare = kLess, bool write = true, int32_t x = 0,
               int32_t y = 0) {
    const auto state = messages::testing::plain_state(size, size);
    messages::testing::add_depth(*state, compare, write);
    state->registers.depth.surface.address = kOf[surface];
    messages::Pools pools;
    const auto primitive = messages::testing::cover(pools, *state, z);
    buffer.begin_draw(state->registers);
    return buffer.test(state->registers, primitive->primitive, x, y);
  }
  bool hidden(uint32_t surface, float z, arch::Compare compare = kLess) {
    return draw(surface, z, compare, false) == Verdict::kRejected;
  }
  Outcome learn(uint32_t surface, float z, uint32_t epoch, int32_t x = 0, int32_t y = 0) {
    return buffer.update(
        {.surface = kOf[surface], .x = x, .y = y, .least = z, .greatest = z, .epoch = epoch});
  }
  uint32_t clear(uint32_t surface, float depth) {
    arch::ClearPacket packet{};
    packet.surface = messages::testing::surface(arch::Format::X8_D24_UNORM_PACK32, size, size, kOf[surface]);
    packet.width = packet.height = size;
    packet.value[0] = std::bit_cast<uint32_t>(depth);
    return buffer.clear(packet);
  }
};

TEST(HzSurfaces, EachOfTwoKeepsItsBoundsIfBothHaveEntries) {
  for (const uint32_t surfaces : {1u, 2u}) {
    Bench bench(128, surfaces);
    for (const uint32_t surface : {0u, 1u}) {
      bench.draw(surface, surface ? 0.75f : 0.25f);
      EXPECT_EQ(bench.learn(surface, surface ? 0.75f : 0.25f, bench.buffer.epoch()), Outcome::kNarrowed);
    }
    EXPECT_TRUE(bench.hidden(1, 0.875f));
    EXPECT_FALSE(bench.hidden(1, 0.5f));
    EXPECT_EQ(bench.hidden(0, 0.5f), surfaces == 2);
    EXPECT_EQ(bench.hidden(1, 0.875f), surfaces == 2);
  }
}

TEST(HzSurfaces, TooFewEntriesAreAsOneSurface) {
  Bench bench(64, 2);
  for (const uint32_t surface : {0u, 1u}) {
    bench.draw(surface, 0.25f);
    bench.learn(surface, 0.25f, bench.buffer.epoch());
  }
  EXPECT_TRUE(bench.hidden(1, 0.5f));
  EXPECT_FALSE(bench.hidden(0, 0.5f));
}

TEST(HzSurfaces, EachHasADirectionOfItsOwn) {
  for (const HzFlip flip : {HzFlip::kRelearn, HzFlip::kUntilClear, HzFlip::kTwoBounds}) {
    Bench bench(128, 2, flip);
    bench.draw(0, 0.25f);
    bench.learn(0, 0.25f, bench.buffer.epoch());
    bench.draw(1, 0.75f, kGreater);
    EXPECT_EQ(bench.learn(1, 0.75f, bench.buffer.epoch()), Outcome::kNarrowed);
    for (int turn = 0; turn < 2; turn++) {
      EXPECT_TRUE(bench.hidden(0, 0.5f));
      EXPECT_TRUE(bench.hidden(1, 0.5f, kGreater));
    }
    bench.draw(1, 0.5f, kLess);  // what this does to one does nothing to the other
    EXPECT_TRUE(bench.hidden(0, 0.5f));
    bench.draw(1, 0.5f, kAlways);
    EXPECT_TRUE(bench.hidden(0, 0.5f));
  }
}

TEST(HzSurfaces, EachIsClearedToAValueOfItsOwn) {
  Bench bench(128, 2);
  EXPECT_EQ(bench.clear(0, 0.25f), 64u);
  EXPECT_EQ(bench.clear(1, 0.75f), 64u);
  EXPECT_TRUE(bench.hidden(0, 0.5f));
  EXPECT_FALSE(bench.hidden(1, 0.5f));
  EXPECT_TRUE(bench.hidden(1, 0.5f, kGreater));
  EXPECT_FALSE(bench.hidden(0, 0.5f, kGreater));
}

// A report narrows the surface that it names, whichever is being drawn, in its present region.
TEST(HzSurfaces, ReportsNarrowTheirSurface) {
  Bench bench(128, 2);
  bench.draw(0, 0.25f);
  const uint32_t first = bench.buffer.epoch();
  bench.draw(1, 0.75f);
  EXPECT_EQ(bench.learn(0, 0.25f, first), Outcome::kNarrowed);
  EXPECT_FALSE(bench.hidden(1, 0.5f)) << "that was the other one";
  EXPECT_TRUE(bench.hidden(0, 0.5f));

  Bench one(128, 1);
  one.draw(0, 0.25f);
  const uint32_t before = one.buffer.epoch();
  one.draw(1, 0.75f);
  EXPECT_EQ(one.learn(0, 0.25f, before), Outcome::kStale) << "has no region";
  one.draw(0, 0.75f, kAlways);
  one.draw(1, 0.75f);
  one.draw(0, 0.875f);
  EXPECT_EQ(one.learn(0, 0.25f, before), Outcome::kStale) << "has another region";
  EXPECT_FALSE(one.hidden(0, 0.5f)) << "0.75 is stored";
  one.draw(0, 0.875f);
  EXPECT_EQ(one.learn(0, 0.75f, one.buffer.epoch()), Outcome::kNarrowed);
  EXPECT_TRUE(one.hidden(0, 0.875f));
}

// A part of one is drawn to as a surface of its own.
TEST(HzSurfaces, WhatIsWrittenAsAnotherSurfaceIsNotKnown) {
  Bench bench(128, 4);
  bench.draw(0, 0.25f), bench.learn(0, 0.25f, bench.buffer.epoch());
  bench.draw(1, 0.25f), bench.learn(1, 0.25f, bench.buffer.epoch());
  EXPECT_TRUE(bench.hidden(0, 0.5f) && bench.hidden(1, 0.5f));
  const auto state = messages::testing::plain_state(8, 8);
  messages::testing::add_depth(*state, kLess);
  state->registers.depth.surface.address = kOf[1] + 256;
  bench.buffer.begin_draw(state->registers);
  EXPECT_TRUE(bench.hidden(0, 0.5f));
  EXPECT_FALSE(bench.hidden(1, 0.5f));
}

// Hidden tiles are known in four shares as in one memory: all of a surface that fits, and the same rows of
// one that does not.
TEST(HzSurfaces, FourSharesRejectAsOneMemory) {
  for (const uint32_t size : {64u, 128u})
    for (const unsigned tile : {8u, 16u}) {
      const structures::TileMap map(4, tile);
      Bench whole(64, 1, HzFlip::kRelearn, size);
      EXPECT_EQ(whole.clear(0, 0.5f), 64u);
      uint32_t rejected = 0;
      for (unsigned unit = 0; unit < 4; unit++) {
        Bench share(64, 1, HzFlip::kRelearn, size, structures::OwnedTiles(map, unit));
        EXPECT_EQ(share.clear(0, 0.5f), 64u) << "is walked by all together";
        for (int32_t y = 0; y < static_cast<int32_t>(size); y += 8)
          for (int32_t x = 0; x < static_cast<int32_t>(size); x += 8) {
            if (map.owner(x, y) != unit) continue;
            const Verdict one = whole.draw(0, 0.75f, kLess, false, x, y);
            EXPECT_EQ(share.draw(0, 0.75f, kLess, false, x, y), one) << x << ' ' << y;
            rejected += one == Verdict::kRejected;
            // Reports narrow the same tiles.
            EXPECT_EQ(share.learn(0, 0.25f, share.buffer.epoch(), x, y),
                      whole.learn(0, 0.25f, whole.buffer.epoch(), x, y));
          }
      }
      EXPECT_EQ(rejected, 64u);
    }
}

// Hierarchical stencil has the regions of hierarchical Z: a surface that loses its own is forgotten by both.
TEST(HzSurfaces, StencilsShareTheRegions) {
  for (const uint32_t surfaces : {1u, 2u}) {
    HzMemory memory(128, surfaces);
    HzBuffer depths(memory, {8});
    HsBuffer stencils(memory);
    const auto state = messages::testing::plain_state();
    messages::testing::add_depth(*state, kLess);
    auto& depth = state->registers.depth;
    depth.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
    depth.stencil_test = 1;
    depth.front = depth.back = {0, 0, 0, 2, 1, 255, 255};  // equal to 1
    state->prepare();
    const auto use = [&](uint32_t surface) {
      depth.surface.address = kOf[surface];
      depths.begin_draw(state->registers);
      stencils.begin_draw(state->registers, state->depth, depths.epoch());
      return stencils.rejects(true, 0, 0);
    };
    const auto clear = [&](uint32_t surface) {
      arch::ClearPacket packet{};
      packet.surface = depth.surface;
      packet.surface.address = kOf[surface];
      packet.width = packet.height = 64;
      packet.value[1] = 2;
      depths.clear(packet);
      stencils.clear(packet, depths.epoch());
    };
    clear(0);
    EXPECT_TRUE(use(0));
    EXPECT_FALSE(use(1)) << "was not cleared";
    EXPECT_EQ(use(0), surfaces == 2);
    stencils.update({.surface = kOf[1], .epoch = depths.epoch(), .one_stencil = true, .stencil = 3});
    EXPECT_EQ(use(1), surfaces == 2) << "the report is of a surface that has no region";
  }
}

}  // namespace
}  // namespace cutaway::boxes::hz_surfaces_test
