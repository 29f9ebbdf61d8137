#include "emulator/tile_masks.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace cutaway::emulator {
namespace {

TEST(TileMasks, FindQuadsAndLanes) {
  const uint64_t pixels = 0x8000'0000'0000'0031;  // quads 0, 1 and 15
  EXPECT_EQ(quads_with(pixels), 0x1000'0000'0000'0011u);
  EXPECT_EQ(number_of(quads_with(pixels)), 3u);
  EXPECT_EQ(pixels_of(pixels), 4u);
  EXPECT_EQ(lanes_of(pixels, 1), 3u);
  EXPECT_EQ(whole_sectors(pixels), 0u);
  EXPECT_EQ(whole_sectors(0x8000'4218'0421'1111), 0x0000'0001'0000'0001u);
  std::vector<std::pair<uint32_t, uint32_t>> seen;
  each_quad(quads_with(pixels), [&](uint32_t quad, uint32_t place) { seen.emplace_back(quad, place); });
  EXPECT_EQ(seen, (std::vector<std::pair<uint32_t, uint32_t>>{{0, 0}, {1, 1}, {15, 2}}));
}

// Each element of a tile belongs to one quad, two rows of two.
TEST(TileMasks, PlaceElementsOfQuads) {
  uint64_t seen = 0;
  for (uint32_t quad = 0; quad < 16; quad++)
    for (const uint32_t row : {0u, arch::kSectorSize})
      for (uint32_t column = 0; column < 2; column++)
        seen |= uint64_t{1} << (element_place(quad) + row + column);
  EXPECT_EQ(seen, ~uint64_t{0});
}

}  // namespace
}  // namespace cutaway::emulator
