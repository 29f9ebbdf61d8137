#pragma once

#include <cstdint>

#include "func/raster/primitive.h"

// Computes the samples of a tile that a primitive covers. Coordinates are pixels of the framebuffer.
namespace cutaway::func {

constexpr int kTilePixels = 8;       // per side
constexpr uint32_t kTileQuads = 16;  // quads of a tile

// Bit row * 8 + column is set when that pixel's sample is covered, within bounds. (x, y) is the tile's upper
// left pixel, a multiple of 8.
uint64_t tile_coverage(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample = {});

// The same for many tiles: a primitive's edges at one sample of every pixel.
class TileEdges {
 public:
  explicit TileEdges(const Primitive& primitive, SampleOffset sample = {});  // which must outlive it
  uint64_t coverage(int32_t x, int32_t y) const;                             // tile_coverage()

 private:
  uint64_t edge_coverage(int32_t x, int32_t y) const;

  // In units of the edge: its value at the sample of pixel (0, 0), steps to the next column and row, and what
  // the other samples of a tile have at least and at most more than the first.
  struct Steps {
    int64_t origin, column, row, least, most;
  };
  const Primitive& primitive_;
  SampleOffset sample_;
  Steps steps_[kMaxEdges];
};

// True if all sample positions of the pixels [x, x + size) × [y, y + size) are inside all edges. Then
// tile_coverage equals tile_bounds, unless the primitive is stippled.
bool edges_hold(const Primitive& primitive, int32_t x, int32_t y, int32_t size);
// Pixels of a tile within the primitive's bounds.
uint64_t tile_bounds(const Primitive& primitive, int32_t x, int32_t y);

// True if a sample position of the pixels [x, x + size) × [y, y + size) may be covered. Conservative: never
// false for a covered one, sometimes true for an uncovered one.
bool tile_overlaps(const Primitive& primitive, int32_t x, int32_t y, int32_t size);

// Quads of a tile are numbered in Z order: bits 0, 2 are the column and bits 1, 3 the row, so quads 4 s to
// 4 s + 3 make up sector s of the tile. Lanes of a quad: (x, y), (x+1, y), (x, y+1), (x+1, y+1).
constexpr int32_t quad_x(uint32_t quad) { return static_cast<int32_t>((quad & 1) | (quad >> 1 & 2)) * 2; }
constexpr int32_t quad_y(uint32_t quad) {
  return static_cast<int32_t>((quad >> 1 & 1) | (quad >> 2 & 2)) * 2;
}
constexpr uint8_t quad_mask(uint64_t tile, uint32_t quad) {
  const uint64_t bits = tile >> (quad_y(quad) * kTilePixels + quad_x(quad));
  return static_cast<uint8_t>((bits & 3) | (bits >> (kTilePixels - 2) & 12));
}

// True if all quads of this one's half of the tile, the upper or the lower, have a covered pixel.
constexpr bool full_half(uint64_t tile, uint32_t quad) {
  constexpr uint64_t kFirstLanes = 0x00550055;  // of the upper half
  const uint64_t half = quad < 8 ? tile : tile >> 32;
  const uint64_t rows = half | half >> 1;
  return ((rows | rows >> kTilePixels) & kFirstLanes) == kFirstLanes;
}

// Convert a tile's bits from row order to other orders, for whole tiles at once. Sector order is the order of
// a tile's elements in memory: bit 16 s + 4 row + column is a pixel of sector s. In quad order, bit 4 q + l
// is lane l of quad q.
constexpr uint64_t sector_order(uint64_t rows) {
  const auto exchange = [](uint64_t word, int distance, uint64_t mask) {
    const uint64_t changed = (word >> distance ^ word) & mask;
    return word ^ changed ^ changed << distance;
  };
  return exchange(exchange(rows, 12, 0x0000f0f00000f0f0), 4, 0x00f000f000f000f0);
}
constexpr uint64_t exchange_quads_and_sectors(uint64_t bits) {  // converts either order to the other
  const uint64_t changed = (bits >> 2 ^ bits) & 0x0c0c0c0c0c0c0c0c;
  return bits ^ changed ^ changed << 2;
}
constexpr uint64_t quad_order(uint64_t rows) { return exchange_quads_and_sectors(sector_order(rows)); }

}  // namespace cutaway::func
