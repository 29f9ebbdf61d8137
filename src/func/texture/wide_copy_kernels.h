// Samples from copies of textures: included after wide_bilinear_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_copy_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// Products of numbers below 2^15.
CUTAWAY_INLINE Words product(Words a, Words b) {
#ifdef __AVX512F__
  return (Words)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Words)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
  return a * b;
#endif
}

// The column of the left one of two texels, from -1 on; border texels clear `inside`.
CUTAWAY_INLINE Ints left_column(WideTexture::Axis axis, Ints i, Ints size, Floats size_float, Ints linear,
                                Ints& inside) {
  const Ints last = size - 1;
  const auto wrap = static_cast<arch::Wrap>(axis.wrap);
  if (wrap == arch::Wrap::kRepeat) return axis.powers_of_two ? i & last : modulo(i, size, size_float);
  if (wrap == arch::Wrap::kClampToBorder) inside &= (Ints)(i >= 0) & (Ints)(i - linear < size);
  return most(Ints{} - 1, least(i, last));
}

// axis() for the columns of a copy.
struct Columns {
  Ints left, fraction;
};
CUTAWAY_INLINE Columns columns(Floats coordinate, Floats scale, Floats size_float, Ints size, bool nearest,
                               Ints is_linear, WideTexture::Axis wrap, Ints& inside) {
  const Floats position = near_position(coordinate, scale, inside);
  const Ints fixed = fixed_position(position, wrap.offset);
  Ints first = fixed >> 8, fraction = fixed & 255;
  if (nearest) {
    first = choose(is_linear, first, floor_to_int(position) + wrap.offset);
    fraction &= is_linear;
  }
  return {left_column(wrap, first, size, size_float, is_linear, inside), fraction};
}

// lerp() of numbers that are neither negative nor infinite: where the weight is zero, adding zero does no
// harm.
CUTAWAY_INLINE Floats blend(Floats a, Floats b, Floats weight) { return a + weight * (b - a); }

// Four texels: filter_unorm8 of filter.cpp, or filter_texels for formats that are not filtered as integers.
template <bool kIntegers>
CUTAWAY_INLINE Color filter_pairs(const Pairs (&row)[2], Ints fu, Ints fv) {
  if constexpr (kIntegers) {
    const Words texel[4] = {row[0].left, row[0].right, row[1].left, row[1].right};
    return filter_bytes(texel, (Words)fu, (Words)fv);
  }
  const Floats wu = to_float(fu) / 256.0f, wv = to_float(fv) / 256.0f;
  Color out;
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
    const Floats upper = blend(byte_to_float(row[0].left, c), byte_to_float(row[0].right, c), wu);
    const Floats lower = blend(byte_to_float(row[1].left, c), byte_to_float(row[1].right, c), wu);
    out.c[c] = blend(upper, lower, wv);
  }
  return out;
}

// The place of a bilinear sample of a vector's lanes: the left texels of both rows, in words from
// TexelRows::texels on; and the weights of the right texels and of the lower row.
struct CopyPlace {
  alignas(64) uint32_t row[2][kVector];
  Ints fraction_u, fraction_v;
};

// The place of a sample of a level, or of one of its probes. Lanes outside, where the texture has no texels
// or that are too far away for this path, clear `inside`.
template <bool kByLane>
CUTAWAY_INLINE void locate_copied(const WideTexture& t, const TexelRows& copy, const WidePlan& plan,
                                  Ints level, uint32_t probe, int lane, Ints& inside, CopyPlace& out) {
  const Ints linear = of_lanes<kByLane>(plan.linear, lane);
  Floats u = load_floats(plan.u + lane), v = load_floats(plan.v + lane);
  if (plan.most_probes > 1) {
    u = probe_place<kByLane>(plan, u, plan.du, probe, lane);
    v = probe_place<kByLane>(plan, v, plan.dv, probe, lane);
  }
  const Floats width = of_levels<kByLane, Floats>(t.level.width_float, level);
  const Floats height = of_levels<kByLane, Floats>(t.level.height_float, level);
  const Columns x =
      columns(u, t.texel_units ? all(1) : width, width, of_levels<kByLane, Ints>(t.level.width, level),
              plan.nearest, linear, t.axis[0], inside);
  const AxisTexels y =
      axis(v, t.texel_units ? all(1) : height, height, of_levels<kByLane, Ints>(t.level.height, level),
           plan.texels == 4, plan.nearest, linear, t.axis[1], inside);
  const Words pitch = of_levels<kByLane, Words>(copy.pitch, level);
  const Words column = of_levels<kByLane, Words>(copy.first, level) + (Words)x.left;
  for (int i = 0; i < 2; i++) put_lanes(out.row[i], column + product((Words)y.texel[i], pitch));
  out.fraction_u = x.fraction, out.fraction_v = y.fraction;
}

template <bool kIntegers>
CUTAWAY_INLINE Color filter_copied(const TexelRows& copy, const CopyPlace& at) {
  const auto texels = reinterpret_cast<uintptr_t>(copy.texels);
  const Pairs row[2] = {gather_pairs<4>(texels, at.row[0]), gather_pairs<4>(texels, at.row[1])};
  return filter_pairs<kIntegers>(row, at.fraction_u, at.fraction_v);
}

CUTAWAY_INLINE Color between_levels(const Color& color, const Color& next, Ints fraction) {
  const Floats weight = to_float(fraction) / 256.0f;
  Color out;
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) out.c[c] = blend(color.c[c], next.c[c], weight);
  return out;
}

CUTAWAY_INLINE void put_color(const WideTexture& t, const Color& value, int lane,
                              uint32_t result[4][kWideLanes]) {
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
    const uint32_t select = t.swizzle >> (4 * c) & 15;
    store(&result[c][lane], select < 4 ? (Words)value.c[select] : Words{} + (select == 5 ? t.one : 0u));
  }
}

// The mean of a level's probes.
template <bool kByLane, bool kIntegers>
CUTAWAY_INLINE Color sample_probes(const WideTexture& t, const TexelRows& copy, TakenLevel taken, int lane,
                                   WidePlan& plan) {
  const Ints probes = of_lanes<kByLane>(plan.probes, lane);
  Color mean{};
  for (uint32_t probe = 0; probe < plan.most_probes; probe++) {
    const Ints takes = (Ints)(probes > (int32_t)probe);
    const uint32_t lanes = probe ? taken.lanes & mask_of(takes) : taken.lanes;
    if (!lanes) break;
    Ints inside = Ints{} - 1;
    CopyPlace at;
    locate_copied<kByLane>(t, copy, plan, taken.level, probe, lane, inside, at);
    const Color color = filter_copied<kIntegers>(copy, at);
    plan.planned &= ~((~mask_of(inside) & lanes) << lane);
    const Floats part = all(1 / static_cast<float>(probe + 1));
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) mean.c[c] =
        probe ? choose(takes, blend(mean.c[c], color.c[c], part), mean.c[c]) : color.c[c];
  }
  return mean;
}
template <bool kByLane, bool kIntegers>
[[gnu::noinline]] void sample_copy_probes(const WideTexture& t, const TexelRows& copy, uint32_t active,
                                          WidePlan& plan, uint32_t result[4][kWideLanes]) {
  for (int lane = 0; lane < (int)kWideLanes; lane += kVector) {
    if (!(active >> lane & kAllLanes)) continue;
    Color value =
        sample_probes<kByLane, kIntegers>(t, copy, taken_level<kByLane>(plan, 0, active, lane), lane, plan);
    if (plan.levels > 1) {
      const TakenLevel next = taken_level<kByLane>(plan, 1, active, lane);
      if (next.lanes)
        value = between_levels(value, sample_probes<kByLane, kIntegers>(t, copy, next, lane, plan),
                               of_lanes<kByLane>(plan.fraction, lane));
    }
    put_color(t, value, lane, result);
  }
}

// The same for one probe, in the order of sample_bilinear_group().
template <bool kByLane, bool kIntegers>
[[gnu::noinline]] void sample_copy_once(const WideTexture& t, const TexelRows& copy, uint32_t active,
                                        WidePlan& plan, uint32_t result[4][kWideLanes]) {
  constexpr int kSteps = kWideLanes / kVector;
  CopyPlace at[2][kSteps];
  uint32_t lanes[2][kSteps] = {};
  for (uint32_t next = 0; next < plan.levels; next++)
    for (int step = 0; step < kSteps; step++) {
      const int lane = step * kVector;
      const TakenLevel taken = taken_level<kByLane>(plan, next, active, lane);
      lanes[next][step] = taken.lanes;
      if (!taken.lanes) continue;
      Ints inside = Ints{} - 1;
      locate_copied<kByLane>(t, copy, plan, taken.level, 0, lane, inside, at[next][step]);
      plan.planned &= ~((~mask_of(inside) & taken.lanes) << lane);
    }
  for (int step = 0; step < kSteps; step++) {
    if (!lanes[0][step]) continue;
    const int lane = step * kVector;
    Color value = filter_copied<kIntegers>(copy, at[0][step]);
    if (lanes[1][step])
      value = between_levels(value, filter_copied<kIntegers>(copy, at[1][step]),
                             of_lanes<kByLane>(plan.fraction, lane));
    put_color(t, value, lane, result);
  }
}

template <bool kByLane, bool kIntegers>
CUTAWAY_INLINE void sample_copy_group(const WideTexture& t, const TexelRows& copy, uint32_t active,
                                      WidePlan& plan, uint32_t result[4][kWideLanes]) {
  (plan.most_probes > 1 ? sample_copy_probes<kByLane, kIntegers>
                        : sample_copy_once<kByLane, kIntegers>)(t, copy, active, plan, result);
}

inline void sample_copy(const WideTexture& t, const TexelRows& copy, uint32_t active, WidePlan& plan,
                        uint32_t result[4][kWideLanes]) {
  const bool integers = t.texel == WideTexel::kUnorm8;
  if (plan.by_lane && integers) return sample_copy_group<true, true>(t, copy, active, plan, result);
  if (plan.by_lane) return sample_copy_group<true, false>(t, copy, active, plan, result);
  if (integers) return sample_copy_group<false, true>(t, copy, active, plan, result);
  sample_copy_group<false, false>(t, copy, active, plan, result);
}

}  // namespace cutaway::func::CUTAWAY_ALU
