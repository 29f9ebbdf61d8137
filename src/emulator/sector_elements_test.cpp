#include "emulator/sector_elements.h"

#include <gtest/gtest.h>

#include "emulator/tile_masks.h"

namespace cutaway::emulator {
namespace {

// Each lane of each quad has the element that lies at its place in memory, and goes back to it.
TEST(SectorElements, AreThoseOfTheQuads) {
  uint32_t rows[16], quads[16], back[16];
  for (uint32_t i = 0; i < 16; i++) rows[i] = 100 + i;
  store_sector(turned(load_sector(rows)), quads);
  for (uint32_t quad = 0; quad < kSectorQuads; quad++)
    for (uint32_t lane = 0; lane < 4; lane++) {
      const uint32_t at = element_offset(quad) / 4 + (lane >> 1) * arch::kSectorSize + (lane & 1);
      EXPECT_EQ(quads[4 * quad + lane], rows[at]) << quad << ' ' << lane;
    }
  store_sector(turned(load_sector(quads)), back);
  for (uint32_t i = 0; i < 16; i++) EXPECT_EQ(back[i], rows[i]);
}

TEST(SectorElements, QuadsLieInTwoRows) {
  constexpr size_t kRow = 16;
  uint32_t rows[8], quad[4], back[8] = {};
  for (uint32_t i = 0; i < 8; i++) rows[i] = 100 + i;
  const __m128i loaded = load_quad(reinterpret_cast<const std::byte*>(rows + 2), kRow);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(quad), loaded);
  for (uint32_t lane = 0; lane < 4; lane++) EXPECT_EQ(quad[lane], 102 + (lane & 1) + 4 * (lane >> 1));
  store_quad(loaded, reinterpret_cast<std::byte*>(back + 2), kRow);
  for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(back[i], i % 4 < 2 ? 0 : 100 + i);
}

TEST(SectorElements, AreChosenByLane) {
  uint32_t yes[16], no[16], out[16];
  for (uint32_t i = 0; i < 16; i++) yes[i] = i, no[i] = 100 + i;
  for (const uint32_t lanes : {0u, 0xffffu, 0x8001u, 0x1234u}) {
    store_sector(chosen(lanes, load_sector(yes), load_sector(no)), out);
    for (uint32_t i = 0; i < 16; i++) EXPECT_EQ(out[i], lanes >> i & 1 ? i : 100 + i) << lanes;
  }
}

}  // namespace
}  // namespace cutaway::emulator
