#include "boxes/hierarchical_z/hz_memory.h"

#include <gtest/gtest.h>
#include <set>

#include "messages/testing/draws.h"

namespace cutaway::boxes::hz_memory_test {
namespace {

constexpr arch::Format kFormat = arch::Format::X8_D24_UNORM_PACK32;

// The surface of a number, apart from all others.
arch::Surface numbered(uint32_t number, uint32_t width = 64, uint32_t height = 64,
                       arch::Format format = kFormat) {
  return messages::testing::surface(format, width, height, 0x100000 * arch::Address{number + 1});
}
DepthImage image(uint32_t number, uint32_t width = 64, uint32_t height = 64) {
  return depth_image(numbered(number, width, height), 1);
}

bool has(const HzMemory& memory, uint32_t number) {
  return memory.at(0x100000 * arch::Address{number + 1}) != nullptr;
}

TEST(HzMemory, ASurfaceKeepsItsRegion) {
  HzMemory memory(256, 2);
  const auto first = memory.take(image(0)), second = memory.take(image(1));
  EXPECT_EQ(first.entries, 64u);
  EXPECT_NE(first.index, second.index);
  EXPECT_NE(first.life, second.life);
  EXPECT_EQ(memory.take(image(0)).life, first.life);
  EXPECT_EQ(memory.take(image(1)).life, second.life);
  EXPECT_TRUE(memory.lives(first));
  EXPECT_EQ(memory.at(image(1).begin)->life, second.life);
  EXPECT_EQ(memory.at(image(1).begin + 256), nullptr);
}

TEST(HzMemory, TheLeastRecentlyUsedSurfaceMakesRoom) {
  HzMemory memory(256, 3);
  for (const uint32_t number : {0u, 1u, 2u, 0u}) memory.take(image(number));
  memory.take(image(3));
  EXPECT_FALSE(has(memory, 1));
  for (const uint32_t number : {0u, 2u, 3u}) EXPECT_TRUE(has(memory, number)) << number;
  memory.take(image(1));
  EXPECT_FALSE(has(memory, 2));
  EXPECT_TRUE(has(memory, 0));
}

// As many as must go for the entries of one.
TEST(HzMemory, SurfacesShareTheEntries) {
  HzMemory memory(256, 4);
  for (const uint32_t number : {0u, 1u, 2u, 3u}) memory.take(image(number));
  for (const uint32_t number : {0u, 1u, 2u, 3u}) EXPECT_TRUE(has(memory, number)) << number;
  EXPECT_EQ(memory.take(image(4, 128, 64)).entries, 128u);
  EXPECT_FALSE(has(memory, 0) || has(memory, 1));
  EXPECT_TRUE(has(memory, 2) && has(memory, 3));
  memory.take(image(5, 8, 8));
  EXPECT_FALSE(has(memory, 2));
  EXPECT_TRUE(has(memory, 3) && has(memory, 4));
}

TEST(HzMemory, OfALargeSurfaceTheFirstRowsHaveEntries) {
  HzMemory memory(64, 4);
  memory.take(image(0));
  const auto region = memory.take(image(1, 128, 128));
  EXPECT_FALSE(has(memory, 0));
  EXPECT_EQ(region.entries, 64u);
  EXPECT_EQ(memory.entry(region, 0, 0), 0u);
  EXPECT_EQ(memory.entry(region, 127, 31), 63u);
  EXPECT_EQ(memory.entry(region, 0, 32), HzMemory::kNone);
  EXPECT_EQ(memory.entry(region, 128, 0), HzMemory::kNone) << "beside the surface";
}

TEST(HzMemory, TwoRegionsNeverDescribeTheSameBytes) {
  const auto drops = [](const arch::Surface& other, uint32_t samples = 1) {
    HzMemory memory(256, 4);
    memory.take(image(0)), memory.take(image(1));
    memory.take(depth_image(other, samples));
    EXPECT_TRUE(has(memory, 1));
    EXPECT_NE(memory.at(other.address), nullptr);
    HzMemory noted(256, 4);
    const auto first = noted.take(image(0));
    noted.written_as(depth_image(other, samples));
    EXPECT_EQ(noted.lives(first), has(noted, 0));
    EXPECT_EQ(noted.lives(first), memory.lives(first));
    return !noted.lives(first);
  };
  EXPECT_FALSE(drops(numbered(0)));
  EXPECT_FALSE(drops(numbered(2)));
  EXPECT_TRUE(drops(numbered(0, 64, 64, arch::Format::D32_SFLOAT)));
  EXPECT_TRUE(drops(numbered(0, 128, 32))) << "as many bytes, other places";
  EXPECT_TRUE(drops(numbered(0), 4));
  arch::Surface inside = numbered(0, 8, 8);
  inside.address = inside.address + (64 * 64 * 4 - 256);
  EXPECT_TRUE(drops(inside));
  inside.address = inside.address + 256;
  EXPECT_FALSE(drops(inside)) << "the byte behind";
}

// Layers and levels are surfaces of their own; all of them go with their image.
TEST(HzMemory, LayersAreApart) {
  HzMemory memory(1024, 4);
  arch::Surface layered = numbered(0);
  layered.layers = 3, layered.levels = 2;
  arch::Surface second = layered, small = layered;
  second.base_layer = 1, small.base_level = 1;
  const auto a = memory.take(depth_image(layered, 1)), b = memory.take(depth_image(second, 1)),
             c = memory.take(depth_image(small, 1)), other = memory.take(image(1));
  EXPECT_TRUE(memory.lives(a) && memory.lives(b) && memory.lives(c));
  EXPECT_EQ(c.entries, 16u);
  memory.drop(layered);
  EXPECT_FALSE(memory.lives(a) || memory.lives(b) || memory.lives(c));
  EXPECT_TRUE(memory.lives(other));
  memory.forget();
  EXPECT_FALSE(memory.lives(other));
}

// A surface whose region was dropped comes back as another.
TEST(HzMemory, ANewRegionIsNotTheOldOne) {
  HzMemory memory(64, 1);
  const auto first = memory.take(image(0));
  memory.take(image(1));
  const auto again = memory.take(image(0));
  EXPECT_EQ(again.index, first.index);
  EXPECT_FALSE(memory.lives(first));
  EXPECT_TRUE(memory.lives(again));
}

// Together the rasterisers have an entry for each tile, in a share of the memory each.
TEST(HzMemory, RasterisersHoldTheirOwnTiles) {
  const structures::TileMap map(4, 16);
  uint32_t covered = 0, cleared = 0;
  for (unsigned unit = 0; unit < 4; unit++) {
    HzMemory memory(256, 1, structures::OwnedTiles(map, unit));
    const auto region = memory.take(image(0, 128, 128));
    EXPECT_EQ(region.entries, 64u);
    std::set<uint32_t> entries;
    for (int32_t tile = 0; tile < 256; tile++) {
      const int32_t x = tile % 16 * 8, y = tile / 16 * 8;
      if (map.owner(x, y) == unit) entries.insert(memory.entry(region, x, y));
    }
    EXPECT_FALSE(entries.contains(HzMemory::kNone));
    covered += static_cast<uint32_t>(entries.size());
    arch::ClearPacket packet{};
    packet.x = 12, packet.width = 116, packet.height = 128;
    std::set<uint32_t> set;
    EXPECT_EQ(memory.for_cleared(region, packet, [&](uint32_t entry) { set.insert(entry); }), 15u * 16);
    cleared += static_cast<uint32_t>(set.size());
  }
  EXPECT_EQ(covered, 256u);
  EXPECT_EQ(cleared, 15u * 16);
}

}  // namespace
}  // namespace cutaway::boxes::hz_memory_test
