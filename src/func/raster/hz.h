#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "func/raster/primitive.h"

// Hierarchical Z: depth bounds of a primitive in a tile, and the encoded bound of a tile's stored depths. All
// rounding is conservative, towards "may be visible".
namespace cutaway::func {

// Bounds of the depth of any sample of the primitive in the 8×8 tile at pixel (x, y): from the depth plane at
// the tile's corners and from the vertices, after bias and clamp, widened by a margin and rounded outwards
// (so they may lie outside [0, 1]). The margin is 2^-40 of the plane's largest term, for the plane's
// rounding, plus one step of a fixed-point depth format, for rounding of the stored values.
float tile_min_depth(const Primitive& primitive, int32_t x, int32_t y);
float tile_max_depth(const Primitive& primitive, int32_t x, int32_t y);

// The bound that an entry stores: the greatest stored depth (for tests that pass nearer fragments) or the
// least.
enum class HzDirection : uint8_t { kOff, kGreatest, kLeast };

// kOff if the comparison does not depend on depth order (always, never, not equal), if there is no depth
// test, or if registers.depth.hierarchical_z is off.
HzDirection hz_direction(const arch::Registers& registers);
// kOff has no opposite.
HzDirection hz_opposite(HzDirection direction);

// Encoding of depths in n bits, in rising order; entry 2^n - 1 is 1.
struct HzFormat {
  uint32_t bits = 8;  // n, 1 to 24
  // 0: entry k is k / 2^n. Otherwise entries are denser towards 1, where perspective crowds depths: the
  // distance from 1 is a floating-point number from 1 / 2 downwards with this many exponent bits; the other
  // bits are mantissa. At most 4, and fewer than n.
  uint32_t exponent_bits = 0;

  bool operator==(const HzFormat&) const = default;
};
using HzEntry = uint32_t;
// Rounds up for kGreatest, down for kLeast. NaN and bounds outside [0, 1] give the open entry.
HzEntry hz_encode(HzDirection direction, float bound, const HzFormat& format);
float hz_decode(HzEntry entry, const HzFormat& format);
// The entry that rejects nothing.
HzEntry hz_open(HzDirection direction, const HzFormat& format);

// True if every sample of the primitive in the tile fails the depth comparison against every depth within the
// bound (a decoded entry).
bool hz_rejects(const arch::Registers& registers, float bound, const Primitive& primitive, int32_t x,
                int32_t y);
// True if every sample of the primitive in the tile passes it against every depth within the opposite bound
// (hz_opposite): Zmin culling (Akenine-Moeller and Stroem, Graphics for the Masses, SIGGRAPH 2003).
bool hz_accepts(const arch::Registers& registers, float bound, const Primitive& primitive, int32_t x,
                int32_t y);

}  // namespace cutaway::func
