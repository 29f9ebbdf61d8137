#include "func/texture/quad_footprint.h"

#include <bit>
#include <cstring>

#include "base/few_bits.h"
#include "func/texture/quad_lanes.h"

// The footprints of a quad, one lane of a vector each.
namespace cutaway::func {
namespace {

// fixed_texel of footprint.cpp. False: a lane's coordinate is no number, or too far away for 32 bits.
bool fixed_texels(Float4 coordinate, float size, Int4& fixed) {
  constexpr float kFar = 0x1p22f;
  const Float4 position = coordinate * size;
  if (!all_of((Int4)(position > -kFar) & (Int4)(position < kFar))) return false;
  const Float4 scaled = position * 256.0f;
  Int4 whole = to_int(scaled);
  whole += (Int4)(to_float(whole) > scaled);  // -1 if truncation rounded up
  const Float4 rest = scaled - to_float(whole);
  fixed = whole - (Int4)(rest >= 0.5f) - 128;
  return true;
}

// wrap_pair of footprint.cpp. False: the mode is not a frequent one.
bool wrap_pairs(uint32_t wrap, Int4 first, int32_t size, Int4 texel[2]) {
  const Int4 second = first + 1, zero{};
  texel[0] = first, texel[1] = second;
  if (all_of((Int4)(first >= zero) & (Int4)(second < size))) return true;
  switch (static_cast<arch::Wrap>(wrap)) {
    case arch::Wrap::kRepeat:
      for (int i = 0; i < 2; i++) texel[i] &= size - 1;
      return one_bit(static_cast<uint32_t>(size));
    case arch::Wrap::kClampToEdge:
      for (int i = 0; i < 2; i++) {
        const Int4 inside = texel[i] & ~(Int4)(texel[i] < zero);
        texel[i] = choose((Int4)(inside < size), inside, zero + (size - 1));
      }
      return true;
    default:
      return false;
  }
}

// TextureView::column_offset and row_offset.
Word4 column_offsets(const TextureView& view, Int4 x, int element_shift) {
  if (view.block_format) x >>= 2;
  if (view.tiled) x = ((x >> 3) << 6) + (x & 3) + ((x & 4) << 2);
  return (Word4)(x << element_shift);
}
Word4 row_offsets(const TextureView& view, uint32_t pitch, Int4 y, int element_shift) {
  if (view.block_format) y >>= 2;
  if (!view.tiled) return (Word4)y * pitch;
  const Int4 inside = ((y & 3) << 2) + ((y & 4) << 3);
  return (Word4)(y >> 3) * pitch + (Word4)(inside << element_shift);
}

// Gives each lane the offsets of its texels.
void set_offsets(const Word4 column[2], const Word4 row[2], QuadFootprint& footprint) {
  Float4 offset[4];
  for (int i = 0; i < 4; i++) offset[i] = (Float4)(column[i & 1] + row[i >> 1]);
  transpose(offset);
  std::memcpy(footprint.offset, offset, sizeof offset);
}

void set_in_block(const Int4 x[2], const Int4 y[2], QuadFootprint& footprint) {
  Int4 words{};
  for (int i = 0; i < 4; i++) words |= (((y[i >> 1] & 3) << 2) + (x[i & 1] & 3)) << 8 * i;
  std::memcpy(footprint.shape.in_block, &words, sizeof words);
}

Float4 of_lanes(const TexturePlan& plan, uint32_t LanePlan::*coordinate) {
  const auto of = [&](uint32_t lane) {
    return _mm_cvtsi32_si128(static_cast<int32_t>(plan.lane[lane].*coordinate));
  };
  return (Float4)_mm_unpacklo_epi64(_mm_unpacklo_epi32(of(0), of(1)), _mm_unpacklo_epi32(of(2), of(3)));
}

}  // namespace

FootprintShape QuadShape::of_lane(uint32_t lane) const {
  FootprintShape shape{.fraction_u = static_cast<uint8_t>(fractions[lane]),
                       .fraction_v = static_cast<uint8_t>(fractions[lane] >> 8),
                       .texels = 4};
  std::memcpy(shape.in_block.data(), &in_block[4 * lane], sizeof shape.in_block);
  return shape;
}

Footprint QuadFootprint::of_lane(uint32_t lane) const {
  Footprint footprint;
  static_cast<FootprintShape&>(footprint) = shape.of_lane(lane);
  for (uint32_t i = 0; i < 4; i++) footprint.location[i] = address(lane, i);
  return footprint;
}

bool fits_quads(const TextureView& view) {
  constexpr uint32_t kMostTexels = 1 << 16;
  const arch::LevelLayout& largest = view.level[0];
  return view.surface.samples() == 1 && one_bit(view.texel_bytes) && largest.width <= kMostTexels &&
         largest.height <= kMostTexels && largest.height * uint64_t{largest.row_pitch} < uint64_t{1} << 31;
}

bool quad_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                     uint32_t k, QuadFootprint& footprint) {
  const LanePlan& any = plan.lane[static_cast<uint32_t>(std::countr_zero(plan.lane_mask))];
  Float4 at_u = of_lanes(plan, &LanePlan::u), at_v = of_lanes(plan, &LanePlan::v);
  uint32_t level = any.level + k;
  if (any.probes > 1) {  // probe_coordinates of footprint.cpp
    const uint32_t probe = k % any.probes;
    level = any.level + k / any.probes;
    const float along = static_cast<float>(probe + 1) / static_cast<float>(any.probes + 1) - 0.5f;
    at_u += along * any.du;
    at_v += along * any.dv;
  }
  const arch::LevelLayout& size = view.level[level];
  const auto scale = [&](uint32_t texels) {
    return plan.texel_coordinates ? 1.0f : static_cast<float>(texels);
  };
  Int4 u, v, x[2], y[2];
  if (!fixed_texels(at_u, scale(size.width), u) || !fixed_texels(at_v, scale(size.height), v)) return false;
  if (!wrap_pairs(sampler.wrap_u, (u >> 8) + any.offset[0], static_cast<int32_t>(size.width), x) ||
      !wrap_pairs(sampler.wrap_v, (v >> 8) + any.offset[1], static_cast<int32_t>(size.height), y))
    return false;
  const int shift = std::countr_zero(view.texel_bytes);
  const auto pitch = static_cast<uint32_t>(size.row_pitch);
  const Word4 column[2] = {column_offsets(view, x[0], shift), column_offsets(view, x[1], shift)};
  const Word4 row[2] = {row_offsets(view, pitch, y[0], shift), row_offsets(view, pitch, y[1], shift)};
  footprint.base = view.slice_address(level, any.layer);
  set_offsets(column, row, footprint);
  store4(footprint.shape.fractions, (Float4)((u & 255) | (v & 255) << 8));
  if (view.block_format) set_in_block(x, y, footprint);
  return true;
}

void texture_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                        uint32_t lanes, uint32_t k, Footprint footprint[kQuadLanes]) {
  QuadFootprint quad;
  const bool at_once = plan.by_quad && quad_footprints(view, sampler, plan, k, quad);
  for (uint32_t lane = 0; lane < kQuadLanes; lane++)
    if (lanes >> lane & 1)
      footprint[lane] = at_once ? quad.of_lane(lane) : texture_footprint(view, sampler, plan, lane, k);
}

}  // namespace cutaway::func
