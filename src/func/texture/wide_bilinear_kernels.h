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

template <bool kByLane, uint32_t kWords>
CUTAWAY_INLINE bool sample_bilinear_lanes(const WideTexture& t, const WidePages& pages, uint32_t active,
                                          int lane, WidePlan& plan, uint32_t result[4][kWideLanes]) {
  alignas(64) float value[4][kVector];
  const Ints fraction = of_lanes<kByLane>(plan.fraction, lane);
  for (uint32_t level = 0; level < plan.levels; level++) {
    Ints levels = of_lanes<kByLane>(plan.level, lane);
    uint32_t taken = active >> lane & kAllLanes;
    if (level) {
      const Ints next = (Ints)(fraction != 0);
      levels -= next;
      taken &= mask_of(next);
      if (!taken) break;
    }
    Ints inside = Ints{} - 1;
    Bilinear at = locate_bilinear<kByLane, 4 * kWords>(t, plan, levels, lane, inside);
    plan.planned &= ~((~mask_of(inside) & taken) << lane);
    if (taken != kAllLanes) {
      const uint32_t first = at.offset[0][__builtin_ctz(taken)];
      for (Words& offset : at.offset) offset = only_on(taken, offset, first);
    }
    Words texel[kWords][4];
    CUTAWAY_UNROLL for (Words& offset : at.offset) offset += pages.start;
    if (!gather_texels<kWords, 4>(pages, at.offset, texel)) return false;
    const Color color = filter_gathered<kWords>(texel, at.fraction_u, at.fraction_v);
    const Floats weight = to_float(fraction) / 256.0f;
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++)
        store_floats(value[c], level ? lerp(load_floats(value[c]), color.c[c], weight) : color.c[c]);
  }
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
    const uint32_t select = t.swizzle >> (4 * c) & 15, from = t.bgra && select < 3 ? 2 - select : select;
    store(&result[c][lane],
          select < 4 ? (Words)load_floats(value[from]) : Words{} + (select == 5 ? t.one : 0u));
  }
  return true;
}

template <bool kByLane, uint32_t kWords>
[[gnu::noinline]] bool sample_bilinear_group(const WideTexture& t, const WidePages& pages, uint32_t active,
                                             WidePlan& plan, uint32_t result[4][kWideLanes]) {
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector)
    if ((active >> lane & kAllLanes) &&
        !sample_bilinear_lanes<kByLane, kWords>(t, pages, active, lane, plan, result))
      return false;
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
