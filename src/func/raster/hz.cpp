#include "func/raster/hz.h"

#include "func/raster/coverage.h"
#include "func/raster/evaluate.h"

namespace cutaway::func {

using namespace raster;

namespace {

struct DepthBounds {
  double low, high;
  bool finite;  // the plane, at all corners
};

DepthBounds tile_depth(const Primitive& primitive, int32_t x, int32_t y) {
  constexpr double kMargin = 0x1p-40;
  const Combination& f = primitive.depth;
  // The plane at the corners of the tile.
  DepthBounds bounds{0, 0, true};
  double largest = 0;
  for (int corner = 0; corner < 4; ++corner) {
    const double unit_x = static_cast<double>(x + (corner & 1) * kTilePixels) * kUnits;
    const double unit_y = static_cast<double>(y + (corner >> 1) * kTilePixels) * kUnits;
    const BasisValues g = basis_at(primitive, unit_x, unit_y);
    const double z = value_at(f, g);
    bounds.finite &= z - z == 0;
    bounds.low = corner == 0 ? z : smaller(bounds.low, z);
    bounds.high = corner == 0 ? z : larger(bounds.high, z);
    largest = larger(largest, absolute(f.constant) + absolute(g.g1 * f.k1) + absolute(g.g2 * f.k2));
  }
  // The vertices.
  const double vertex_margin = (absolute(f.constant) + absolute(f.k1) + absolute(f.k2)) * kMargin;
  bounds.low = larger(bounds.low - largest * kMargin, primitive.depth_low - vertex_margin);
  bounds.high = smaller(bounds.high + largest * kMargin, primitive.depth_high + vertex_margin);
  // Clamp and storage.
  const double depth_min = primitive.depth_min, depth_max = primitive.depth_max;
  return {clamp_to(bounds.low, depth_min, depth_max) - primitive.depth_quantum,
          clamp_to(bounds.high, depth_min, depth_max) + primitive.depth_quantum, bounds.finite};
}

HzEntry top_entry(const HzFormat& format) { return (uint32_t{1} << format.bits) - 1; }
double one(uint32_t bits) { return static_cast<double>(uint32_t{1} << bits); }

}  // namespace

float tile_min_depth(const Primitive& primitive, int32_t x, int32_t y) {
  return round_down(tile_depth(primitive, x, y).low);
}

float tile_max_depth(const Primitive& primitive, int32_t x, int32_t y) {
  return round_up(tile_depth(primitive, x, y).high);
}

HzDirection hz_direction(const arch::Registers& registers) {
  if (registers.depth.hierarchical_z == 0 || registers.depth.depth_test == 0) return HzDirection::kOff;
  switch (static_cast<arch::Compare>(registers.depth.depth_compare)) {
    case arch::Compare::kLess:
    case arch::Compare::kLessOrEqual:
    case arch::Compare::kEqual:
      return HzDirection::kGreatest;
    case arch::Compare::kGreater:
    case arch::Compare::kGreaterOrEqual:
      return HzDirection::kLeast;
    default:
      return HzDirection::kOff;
  }
}

HzDirection hz_opposite(HzDirection direction) {
  if (direction == HzDirection::kOff) return direction;
  return direction == HzDirection::kLeast ? HzDirection::kGreatest : HzDirection::kLeast;
}

HzEntry hz_open(HzDirection direction, const HzFormat& format) {
  return direction == HzDirection::kLeast ? 0 : top_entry(format);
}

HzEntry hz_encode(HzDirection direction, float bound, const HzFormat& format) {
  if (!(bound >= 0 && bound <= 1)) return hz_open(direction, format);
  HzEntry low = 0, high = top_entry(format);  // 0 <= bound <= 1
  while (high - low > 1) {
    const HzEntry middle = low + (high - low) / 2;
    const float held = hz_decode(middle, format);
    if (held == bound) return middle;
    (held < bound ? low : high) = middle;
  }
  if (direction == HzDirection::kLeast) return hz_decode(high, format) <= bound ? high : low;
  return hz_decode(low, format) >= bound ? low : high;
}

float hz_decode(HzEntry entry, const HzFormat& format) {
  const HzEntry top = top_entry(format);
  if (entry == 0) return 0;
  if (entry >= top) return 1;
  if (!format.exponent_bits) return static_cast<float>(static_cast<double>(entry) / one(format.bits));
  const uint32_t mantissa_bits = format.bits - format.exponent_bits, distance = top - entry;
  const uint32_t exponent = distance >> mantissa_bits;
  const uint32_t mantissa = (distance & ((1u << mantissa_bits) - 1)) | (exponent ? 1u << mantissa_bits : 0);
  const uint32_t down = (1u << format.exponent_bits) - (exponent ? exponent : 1);
  return static_cast<float>(1 - static_cast<double>(mantissa) / one(mantissa_bits) / one(down));
}

bool hz_rejects(const arch::Registers& registers, float bound, const Primitive& primitive, int32_t x,
                int32_t y) {
  switch (static_cast<arch::Compare>(registers.depth.depth_compare)) {
    case arch::Compare::kLess:
      return tile_min_depth(primitive, x, y) >= bound;
    case arch::Compare::kLessOrEqual:
    case arch::Compare::kEqual:
      return tile_min_depth(primitive, x, y) > bound;
    case arch::Compare::kGreater:
      return tile_max_depth(primitive, x, y) <= bound;
    case arch::Compare::kGreaterOrEqual:
      return tile_max_depth(primitive, x, y) < bound;
    default:
      return false;
  }
}

bool hz_accepts(const arch::Registers& registers, float bound, const Primitive& primitive, int32_t x,
                int32_t y) {
  const DepthBounds depth = tile_depth(primitive, x, y);
  if (!depth.finite) return false;
  switch (static_cast<arch::Compare>(registers.depth.depth_compare)) {
    case arch::Compare::kLess:
      return round_up(depth.high) < bound;
    case arch::Compare::kLessOrEqual:
      return round_up(depth.high) <= bound;
    case arch::Compare::kGreater:
      return round_down(depth.low) > bound;
    case arch::Compare::kGreaterOrEqual:
      return round_down(depth.low) >= bound;
    default:
      return false;
  }
}

}  // namespace cutaway::func
