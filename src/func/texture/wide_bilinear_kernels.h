// Whole bilinear samples in registers: included after wide_filter_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_bilinear_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

struct Bilinear {
  Words offset[4], fraction_u, fraction_v;
};

// locate_lanes() for four texels of kBytes.
template <bool kByLane, uint32_t kBytes>
CUTAWAY_INLINE Bilinear locate_bilinear(const WideTexture& t, const WidePlan& plan, Ints level, int lane,
                                        Ints& inside) {
  const Ints linear = of_lanes<kByLane>(plan.linear, lane);
  const auto along = [&](const float* place, const float(&size_float)[kLevelSlots],
                         const int32_t(&size)[kLevelSlots], const WideTexture::Axis& wrap)
      __attribute__((always_inline)) {
    const Floats scale = of_levels<kByLane, Floats>(size_float, level);
    return axis(load_floats(place + lane), t.texel_units ? all(1) : scale, scale,
                of_levels<kByLane, Ints>(size, level), true, plan.nearest, linear, wrap, inside);
  };
  const AxisTexels x = along(plan.u, t.level.width_float, t.level.width, t.axis[0]);
  const AxisTexels y = along(plan.v, t.level.height_float, t.level.height, t.axis[1]);
  const Words base = of_levels<kByLane, Words>(t.level.offset, level);
  const Words pitch = of_levels<kByLane, Words>(t.level.pitch, level);
  const Words row[2] = {base + row_offset(y.texel[0], pitch, t.tiled, kBytes),
                        base + row_offset(y.texel[1], pitch, t.tiled, kBytes)};
  const Words column[2] = {column_offset(x.texel[0], t.tiled, kBytes),
                           column_offset(x.texel[1], t.tiled, kBytes)};
  return {{row[0] + column[0], row[0] + column[1], row[1] + column[0], row[1] + column[1]},
          (Words)x.fraction,
          (Words)y.fraction};
}

// filter_unorm8() and filter_colors() of texels in registers.
template <uint32_t kWords>
CUTAWAY_INLINE Color filter_gathered(const Words (&texel)[kWords][4], Words fu, Words fv) {
  if constexpr (kWords == 1) {
    return filter_bytes(texel[0], fu, fv);
  } else {
    Color color[4];
    CUTAWAY_UNROLL for (uint32_t i = 0; i < 4; i++) color[i] = halves_to_color(texel[0][i], texel[1][i]);
    return filter_colors(color, fu, fv);
  }
}

// The color of a vector's lanes. Returns false if a texel is not mapped.
template <uint32_t kWords>
CUTAWAY_INLINE bool sample_gathered(const WidePages& pages, const Bilinear& place, Color& out) {
  if constexpr (kWords == 2)
    if (!mask_of((Ints)((place.fraction_u | place.fraction_v) != 0))) {  // as where pixels lie on texels
      Words texel[kWords][1];
      if (!gather_texels<kWords, 1, 4>(pages, place.offset, texel)) return false;
      out = halves_to_color(texel[0][0], texel[1][0]);
      return true;
    }
  Words texel[kWords][4];
  if (!gather_texels<kWords, 4>(pages, place.offset, texel)) return false;
  out = filter_gathered<kWords>(texel, place.fraction_u, place.fraction_v);
  return true;
}

// The level of a vector's lanes, or the next one; and the lanes that take a sample of it.
struct TakenLevel {
  Ints level;
  uint32_t lanes;
};
template <bool kByLane>
CUTAWAY_INLINE TakenLevel taken_level(const WidePlan& plan, uint32_t next, uint32_t active, int lane) {
  const Ints level = of_lanes<kByLane>(plan.level, lane);
  const uint32_t lanes = active >> lane & kAllLanes;
  if (!next) return {level, lanes};
  const Ints takes = (Ints)(of_lanes<kByLane>(plan.fraction, lane) != 0);
  return {level - takes, lanes & mask_of(takes)};
}

// All places are found before the first texel is loaded: the processor then works at several samples at a
// time, each of which is a long chain of operations.
template <bool kByLane, uint32_t kWords>
[[gnu::noinline]] bool sample_bilinear_group(const WideTexture& t, const WidePages& pages, uint32_t active,
                                             WidePlan& plan, uint32_t result[4][kWideLanes]) {
  constexpr int kSteps = kWideLanes / kVector;
  Bilinear at[2][kSteps];
  uint32_t lanes[2][kSteps] = {};
  for (uint32_t next = 0; next < plan.levels; next++)
    for (int step = 0; step < kSteps; step++) {
      const int lane = step * kVector;
      const TakenLevel taken = taken_level<kByLane>(plan, next, active, lane);
      lanes[next][step] = taken.lanes;
      if (!taken.lanes) continue;
      Ints inside = Ints{} - 1;
      Bilinear& place = at[next][step];
      place = locate_bilinear<kByLane, 4 * kWords>(t, plan, taken.level, lane, inside);
      plan.planned &= ~((~mask_of(inside) & taken.lanes) << lane);
      if (taken.lanes != kAllLanes) {
        const uint32_t first = place.offset[0][__builtin_ctz(taken.lanes)];
        for (Words& offset : place.offset) offset = only_on(taken.lanes, offset, first);
      }
      CUTAWAY_UNROLL for (Words& offset : place.offset) offset += pages.start;
    }
  for (int step = 0; step < kSteps; step++) {
    const int lane = step * kVector;
    const Floats weight = to_float(of_lanes<kByLane>(plan.fraction, lane)) / 256.0f;
    alignas(64) float value[4][kVector];
    for (uint32_t next = 0; next < plan.levels && lanes[next][step]; next++) {
      const Bilinear& place = at[next][step];
      Color color;
      if (!sample_gathered<kWords>(pages, place, color)) return false;
      CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++)
          store_floats(value[c], next ? lerp(load_floats(value[c]), color.c[c], weight) : color.c[c]);
    }
    if (!lanes[0][step]) continue;
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
      const uint32_t select = t.swizzle >> (4 * c) & 15, from = t.bgra && select < 3 ? 2 - select : select;
      store(&result[c][lane],
            select < 4 ? (Words)load_floats(value[from]) : Words{} + (select == 5 ? t.one : 0u));
    }
  }
  return true;
}

inline bool sample_bilinear(const WideTexture& t, const WidePages& pages, uint32_t active, WidePlan& plan,
                            uint32_t result[4][kWideLanes]) {
  const bool halves = t.texel == WideTexel::kHalves;
  if (plan.by_lane)
    return (halves ? sample_bilinear_group<true, 2> : sample_bilinear_group<true, 1>)(t, pages, active, plan,
                                                                                      result);
  return (halves ? sample_bilinear_group<false, 2> : sample_bilinear_group<false, 1>)(t, pages, active, plan,
                                                                                      result);
}

}  // namespace cutaway::func::CUTAWAY_ALU
