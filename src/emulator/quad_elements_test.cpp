#include "emulator/quad_elements.h"

#include <gtest/gtest.h>

namespace cutaway::emulator {
namespace {

TEST(QuadElements, LieInTwoRows) {
  constexpr size_t kRow = 16;
  uint32_t rows[8], quad[4], back[8] = {};
  for (uint32_t i = 0; i < 8; i++) rows[i] = 100 + i;
  const __m128i loaded = load_quad(reinterpret_cast<const std::byte*>(rows + 2), kRow);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(quad), loaded);
  for (uint32_t lane = 0; lane < 4; lane++) EXPECT_EQ(quad[lane], 102 + (lane & 1) + 4 * (lane >> 1));
  store_quad(loaded, reinterpret_cast<std::byte*>(back + 2), kRow);
  for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(back[i], i % 4 < 2 ? 0 : 100 + i);
}

TEST(QuadElements, AreChosenByLane) {
  for (uint32_t lanes = 0; lanes < 16; lanes++) {
    uint32_t out[4];
    const __m128i made = chosen(lanes, _mm_setr_epi32(0, 1, 2, 3), _mm_setr_epi32(10, 11, 12, 13));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), made);
    for (uint32_t lane = 0; lane < 4; lane++) EXPECT_EQ(out[lane], lanes >> lane & 1 ? lane : 10 + lane);
  }
}

}  // namespace
}  // namespace cutaway::emulator
