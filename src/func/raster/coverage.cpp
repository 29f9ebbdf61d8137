#include "func/raster/coverage.h"

#include <algorithm>
#include <emmintrin.h>

#include "arch/sample_location.h"
#include "func/raster/line.h"

namespace cutaway::func {

namespace {

// An edge that crosses the tile, in steps of a pixel: inside if c + a column + b row >= 0. The values at the
// pixels are the edge's divided by 256 and rounded down, which keeps the sign and fits in 32 bits.
struct TileEdge {
  int32_t a, b, c;
};

// Signs of eight pixels of a row: negative means outside.
__m128i outside(const TileEdge* edges, int count, int row) {
  __m128i left = _mm_setzero_si128(), right = left;
  for (int i = 0; i < count; ++i) {
    const TileEdge& edge = edges[i];
    const int32_t c = edge.c + edge.b * row, a = edge.a;
    const __m128i value = _mm_add_epi32(_mm_set1_epi32(c), _mm_setr_epi32(0, a, 2 * a, 3 * a));
    left = _mm_or_si128(left, value);
    right = _mm_or_si128(right, _mm_add_epi32(value, _mm_set1_epi32(4 * a)));
  }
  return _mm_packs_epi32(left, right);
}

uint64_t edge_coverage(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample) {
  const uint64_t bounds = tile_bounds(primitive, x, y);
  if (bounds == 0) return 0;

  // Edges that the tile is not completely inside of.
  TileEdge crossing[kMaxEdges];
  int count = 0;
  const int64_t unit_x = int64_t{x} * kSubpixels + sample.x, unit_y = int64_t{y} * kSubpixels + sample.y;
  constexpr int64_t kSpan = (kTilePixels - 1) * kSubpixels;
  for (int i = 0; i < primitive.edges; ++i) {
    const Edge& edge = primitive.edge[i];
    const int64_t corner = edge.at(unit_x, unit_y);
    const int64_t rise_a = edge.a * kSpan, rise_b = edge.b * kSpan;
    if (corner + std::max<int64_t>(rise_a, 0) + std::max<int64_t>(rise_b, 0) < 0) return 0;
    if (corner + std::min<int64_t>(rise_a, 0) + std::min<int64_t>(rise_b, 0) >= 0) continue;
    crossing[count++] = {edge.a, edge.b, static_cast<int32_t>(corner >> kSubpixelBits)};
  }
  if (count == 0) return bounds;

  uint64_t out = 0;
  for (int row = 0; row < kTilePixels; row += 2) {
    const __m128i rows = _mm_packs_epi16(outside(crossing, count, row), outside(crossing, count, row + 1));
    out |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(rows))) << (8 * row);
  }
  return bounds & ~out;
}

}  // namespace

uint64_t tile_coverage(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample) {
  if (primitive.whole_pixels) sample = {};
  const uint64_t covered = edge_coverage(primitive, x, y, sample);
  return covered != 0 && primitive.line.factor != 0 ? stippled(primitive, x, y, sample, covered) : covered;
}

uint64_t tile_bounds(const Primitive& primitive, int32_t x, int32_t y) {
  const int first_column = std::max(primitive.x0 - x, 0),
            end_column = std::min(primitive.x1 - x, kTilePixels);
  const int first_row = std::max(primitive.y0 - y, 0), end_row = std::min(primitive.y1 - y, kTilePixels);
  if (first_column >= end_column || first_row >= end_row) return 0;
  const uint64_t columns = (0xffu >> (kTilePixels - end_column)) & (0xffu << first_column);
  const uint64_t rows = (~uint64_t{0} >> (8 * (kTilePixels - end_row))) & (~uint64_t{0} << (8 * first_row));
  return columns * 0x0101010101010101u & rows;
}

bool edges_hold(const Primitive& primitive, int32_t x, int32_t y, int32_t size) {
  const int64_t x1 = int64_t{x} + size, y1 = int64_t{y} + size;
  for (int i = 0; i < primitive.edges; ++i) {
    const Edge& edge = primitive.edge[i];
    // The sample position of the box that is farthest outside the edge.
    const int64_t unit_x = edge.a > 0 ? int64_t{x} * kSubpixels : x1 * kSubpixels - 1;
    const int64_t unit_y = edge.b > 0 ? int64_t{y} * kSubpixels : y1 * kSubpixels - 1;
    if (edge.at(unit_x, unit_y) < 0) return false;
  }
  return true;
}

bool tile_overlaps(const Primitive& primitive, int32_t x, int32_t y, int32_t size) {
  const int64_t x0 = std::max(x, primitive.x0), x1 = std::min<int64_t>(int64_t{x} + size, primitive.x1);
  const int64_t y0 = std::max(y, primitive.y0), y1 = std::min<int64_t>(int64_t{y} + size, primitive.y1);
  if (x0 >= x1 || y0 >= y1) return false;
  for (int i = 0; i < primitive.edges; ++i) {
    const Edge& edge = primitive.edge[i];
    // The sample position of the box that is deepest inside the edge.
    const int64_t unit_x = edge.a > 0 ? x1 * kSubpixels - 1 : x0 * kSubpixels;
    const int64_t unit_y = edge.b > 0 ? y1 * kSubpixels - 1 : y0 * kSubpixels;
    if (edge.at(unit_x, unit_y) < 0) return false;
  }
  return true;
}

SampleOffset sample_offset(uint32_t samples, uint32_t index) {
  const arch::SamplePoint point = arch::standard_sample(samples, index);
  constexpr int kUnit = kSubpixels / 16;
  return {static_cast<uint8_t>(point.x * kUnit), static_cast<uint8_t>(point.y * kUnit)};
}

}  // namespace cutaway::func
