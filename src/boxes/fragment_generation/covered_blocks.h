#pragma once

#include <bit>
#include <cstdint>

namespace cutaway::boxes {

// Number of blocks of an 8x8 tile that have a fragment. coverage: bit row × 8 + column. pixels: of a block,
// 1 (1x1), 4 (2x2), 8 (4x2), 16 (4x4) or 32 (8x4).
constexpr unsigned covered_blocks(uint64_t coverage, unsigned pixels) {
  constexpr uint64_t kEvenColumns = 0x5555555555555555, kFourthColumns = 0x1111111111111111,
                     kFirstColumn = 0x0101010101010101, kEvenRows = 0x00ff00ff00ff00ff,
                     kFourthRows = 0x000000ff000000ff;
  uint64_t first = coverage;  // the first pixel of each block
  if (pixels >= 4) first = (first | first >> 1) & kEvenColumns;
  if (pixels >= 4) first = (first | first >> 8) & kEvenRows;
  if (pixels >= 8) first = (first | first >> 2) & kFourthColumns;
  if (pixels >= 16) first = (first | first >> 16) & kFourthRows;
  if (pixels >= 32) first = (first | first >> 4) & kFirstColumn;
  return static_cast<unsigned>(std::popcount(first));
}

}  // namespace cutaway::boxes
