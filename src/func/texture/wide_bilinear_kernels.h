// Whole bilinear samples in registers: included after wide_filter_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_bilinear_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

struct Bilinear {
  Words offset[4], fraction_u, fraction_v;
};

// locate_lanes() for four texels of four bytes.
template <bool kByLane>
CUTAWAY_INLINE Bilinear locate_bilinear(const WideTexture& t, const WidePlan& plan, Ints level, int lane,
                                        Ints& inside) {
  constexpr uint32_t kBytes = 4;
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

template <bool kByLane>
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
    Bilinear at = locate_bilinear<kByLane>(t, plan, levels, lane, inside);
    plan.planned &= ~((~mask_of(inside) & taken) << lane);
    if (taken != kAllLanes) {
      const uint32_t first = at.offset[0][__builtin_ctz(taken)];
      for (Words& offset : at.offset) offset = only_on(taken, offset, first);
    }
    Words texel[1][4];
    CUTAWAY_UNROLL for (Words& offset : at.offset) offset += pages.start;
    if (!gather_texels<1, 4>(pages, at.offset, texel)) return false;
    const Color color = filter_bytes(texel[0], at.fraction_u, at.fraction_v);
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

inline bool sample_bilinear(const WideTexture& t, const WidePages& pages, uint32_t active, WidePlan& plan,
                            uint32_t result[4][kWideLanes]) {
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector) {
    if (!(active >> lane & kAllLanes)) continue;
    const bool mapped = plan.by_lane ? sample_bilinear_lanes<true>(t, pages, active, lane, plan, result)
                                     : sample_bilinear_lanes<false>(t, pages, active, lane, plan, result);
    if (!mapped) return false;
  }
  return true;
}

}  // namespace cutaway::func::CUTAWAY_ALU
