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

// Pixels outside: bit row * 8 + column.
uint64_t outside(const TileEdge& edge) {
  const __m128i down = _mm_set1_epi32(edge.b);
  __m128i left = _mm_add_epi32(_mm_set1_epi32(edge.c), _mm_setr_epi32(0, edge.a, 2 * edge.a, 3 * edge.a));
  __m128i right = _mm_add_epi32(left, _mm_set1_epi32(4 * edge.a));
  const auto row = [&] {  // signs, negative means outside
    const __m128i signs = _mm_packs_epi32(left, right);
    left = _mm_add_epi32(left, down), right = _mm_add_epi32(right, down);
    return signs;
  };
  uint64_t out = 0;
  for (int first = 0; first < kTilePixels; first += 2) {
    const __m128i upper = row(), rows = _mm_packs_epi16(upper, row());
    out |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(rows))) << (8 * first);
  }
  return out;
}

}  // namespace

TileEdges::TileEdges(const Primitive& primitive, SampleOffset sample)
    : primitive_(primitive), sample_(primitive.whole_pixels ? SampleOffset{} : sample) {
  constexpr int64_t kSpan = (kTilePixels - 1) * kSubpixels;
  for (int i = 0; i < primitive.edges; ++i) {
    const Edge& edge = primitive.edge[i];
    const int64_t right = edge.a * kSpan, down = edge.b * kSpan;
    steps_[i] = {edge.at(sample_.x, sample_.y), int64_t{edge.a} * kSubpixels, int64_t{edge.b} * kSubpixels,
                 std::min<int64_t>(right, 0) + std::min<int64_t>(down, 0),
                 std::max<int64_t>(right, 0) + std::max<int64_t>(down, 0)};
  }
}

uint64_t TileEdges::edge_coverage(int32_t x, int32_t y) const {
  const uint64_t bounds = tile_bounds(primitive_, x, y);
  if (bounds == 0) return 0;
  // Edges that the tile is not completely inside of.
  TileEdge crossing[kMaxEdges];
  int count = 0;
  for (int i = 0; i < primitive_.edges; ++i) {
    const Steps& steps = steps_[i];
    const int64_t corner = steps.origin + steps.column * x + steps.row * y;
    if (corner + steps.most < 0) return 0;
    if (corner + steps.least >= 0) continue;
    const Edge& edge = primitive_.edge[i];
    crossing[count++] = {edge.a, edge.b, static_cast<int32_t>(corner >> kSubpixelBits)};
  }
  uint64_t out = 0;
  for (int i = 0; i < count; ++i) out |= outside(crossing[i]);
  return bounds & ~out;
}

uint64_t TileEdges::coverage(int32_t x, int32_t y) const {
  const uint64_t covered = edge_coverage(x, y);
  return covered != 0 && primitive_.line.factor != 0 ? stippled(primitive_, x, y, sample_, covered) : covered;
}

uint64_t tile_coverage(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample) {
  return TileEdges(primitive, sample).coverage(x, y);
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
