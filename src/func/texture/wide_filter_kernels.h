// Filtering for whole groups: included after wide_footprint_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_filter_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// a + weight (b - a), a where the weight is zero.
CUTAWAY_INLINE F8 lerp(F8 a, F8 b, F8 weight) {
  return choose((I8)(weight != 0.0f), a + weight * (b - a), a);
}

struct Color {
  F8 c[4];
};

CUTAWAY_INLINE F8 byte_to_float(U8 word, uint32_t c) {
  return to_float((I8)(word >> (8 * c) & 255)) / 255.0f;
}
CUTAWAY_INLINE Color bytes_to_color(U8 word) {
  return {{byte_to_float(word, 0), byte_to_float(word, 1), byte_to_float(word, 2), byte_to_float(word, 3)}};
}

// filter_unorm8 of filter.cpp: the weighted sum is an integer of at most 24 bits, exact in a float; only the
// division rounds.
CUTAWAY_INLINE Color filter_unorm8(const WidePlan& plan, const WideFootprint& at, const WideTexels& texels,
                                   uint32_t lane) {
  typedef uint16_t H16 __attribute__((vector_size(32)));
  const auto texel = [&](uint32_t i) { return load8(&texels.word[0][i][lane]); };
  if (plan.texels == 1) return bytes_to_color(texel(0));
  const U8 fu = load8(&at.fraction_u[lane]), fv = load8(&at.fraction_v[lane]);
  const U8 fu2 = fu | fu << 16, gu2 = (256 - fu) | (256 - fu) << 16;
  const F8 low = to_float((I8)fv), high = to_float((I8)(256 - fv));
  U8 row[2][2];  // [row][odd]: two channels in halves of 16 bits, weighted along the row
  for (uint32_t r = 0; r < 2; r++) {
    const U8 first = texel(2 * r), second = texel(2 * r + 1);
    for (int odd = 0; odd < 2; odd++) {
      const H16 a = (H16)(first >> (8 * odd) & 0x00ff00ff), b = (H16)(second >> (8 * odd) & 0x00ff00ff);
      row[r][odd] = (U8)(a * (H16)gu2 + b * (H16)fu2);
    }
  }
  Color out;
  for (uint32_t c = 0; c < 4; c++) {
    const F8 upper = to_float((I8)(c & 2 ? row[0][c & 1] >> 16 : row[0][c & 1] & 0xffff));
    const F8 lower = to_float((I8)(c & 2 ? row[1][c & 1] >> 16 : row[1][c & 1] & 0xffff));
    out.c[c] = (upper * high + lower * low) / (255.0f * 65536);
  }
  return out;
}

// decode_colors of block.cpp for BC1: decodes to bytes of R, G, B, A.
CUTAWAY_INLINE U8 decode_bc1(U8 colors, U8 indices, U8 texel, bool opaque) {
  const U8 first = colors & 0xffff, second = colors >> 16, index = indices >> (2 * texel) & 3;
  const I8 three = (I8)(first <= second) & (I8)(index >= 2);
  // Thirds of the second end point: 0, 3, 1, 2.
  const U8 thirds = (U8{} + 0x2130u) >> (4 * index) & 3;
  const auto between = [&](U8 a, U8 b) {
    const U8 third = ((3 - thirds) * a + thirds * b) * 0xaaab >> 17;  // / 3: exact up to 2^16
    const U8 half = (U8)((I8)((a + b) >> 1) & (I8)(index == 2));
    return (U8)choose(three, (I8)half, (I8)third);
  };
  const auto five = [](U8 bits) { return bits << 3 | bits >> 2; };
  const auto six = [](U8 bits) { return bits << 2 | bits >> 4; };
  const U8 red = between(five(first >> 11), five(second >> 11));
  const U8 green = between(six(first >> 5 & 63), six(second >> 5 & 63));
  const U8 blue = between(five(first & 31), five(second & 31));
  const I8 clear = opaque ? I8{} : three & (I8)(index == 3);
  return red | green << 8 | blue << 16 | ((U8)~clear & 0xff000000u);
}

// One component of a texel as float.
CUTAWAY_INLINE Color texel_color(const WideTexture& t, const WideFootprint& at, const WideTexels& texels,
                                 uint32_t i, uint32_t lane) {
  if (t.texel == WideTexel::kDecoded) {
    Color out;
    for (uint32_t c = 0; c < 4; c++) out.c[c] = (F8)load8(&texels.word[c][i][lane]);
    return out;
  }
  const U8 word = load8(&texels.word[0][i][lane]);
  if (t.texel == WideTexel::kBytes) return bytes_to_color(word);
  if (t.texel == WideTexel::kHalves) {
    const U8 second = load8(&texels.word[1][i][lane]);
    return {{half_to_float(word & 0xffff), half_to_float(word >> 16), half_to_float(second & 0xffff),
             half_to_float(second >> 16)}};
  }
  return bytes_to_color(
      decode_bc1(word, load8(&texels.word[1][i][lane]), load8(&at.in_block[i][lane]), t.opaque));
}

// filter_texels of filter.cpp.
CUTAWAY_INLINE Color filter_colors(const WideTexture& t, const WidePlan& plan, const WideFootprint& at,
                                   const WideTexels& texels, uint32_t lane) {
  Color out = texel_color(t, at, texels, 0, lane);
  if (plan.texels == 1) return out;
  const F8 wu = to_float((I8)load8(&at.fraction_u[lane])) / 256.0f;
  const F8 wv = to_float((I8)load8(&at.fraction_v[lane])) / 256.0f;
  const Color right = texel_color(t, at, texels, 1, lane), below = texel_color(t, at, texels, 2, lane);
  const Color last = texel_color(t, at, texels, 3, lane);
  for (uint32_t c = 0; c < 4; c++)
    out.c[c] = lerp(lerp(out.c[c], right.c[c], wu), lerp(below.c[c], last.c[c], wu), wv);
  return out;
}

// Eight lanes: 1 if the reference passes, otherwise 0 ("Depth Compare Operation").
CUTAWAY_INLINE F8 compared(const WideTexture& t, F8 reference, F8 texel) {
  I8 pass = I8{} - 1;
  switch (static_cast<arch::Compare>(t.compare - 1)) {
    case arch::Compare::kNever:
      pass = I8{};
      break;
    case arch::Compare::kLess:
      pass = (I8)(reference < texel);
      break;
    case arch::Compare::kEqual:
      pass = (I8)(reference == texel);
      break;
    case arch::Compare::kLessOrEqual:
      pass = (I8)(reference <= texel);
      break;
    case arch::Compare::kGreater:
      pass = (I8)(reference > texel);
      break;
    case arch::Compare::kNotEqual:
      pass = (I8)(reference != texel);
      break;
    case arch::Compare::kGreaterOrEqual:
      pass = (I8)(reference >= texel);
      break;
    default:
      break;
  }
  return (F8)((I8)all(1) & pass);
}

// Filters the outcomes of a comparison.
CUTAWAY_INLINE Color filter_compared(const WideTexture& t, const WidePlan& plan, const WideFootprint& at,
                                     const WideTexels& texels, uint32_t lane) {
  const F8 reference = load_floats(&plan.reference[lane]);
  const auto outcome = [&](uint32_t i) {
    return compared(t, reference, texel_color(t, at, texels, i, lane).c[0]);
  };
  Color out{{outcome(0), F8{}, F8{}, all(1)}};
  if (plan.texels == 1) return out;
  const F8 wu = to_float((I8)load8(&at.fraction_u[lane])) / 256.0f;
  const F8 wv = to_float((I8)load8(&at.fraction_v[lane])) / 256.0f;
  out.c[0] = lerp(lerp(out.c[0], outcome(1), wu), lerp(outcome(2), outcome(3), wu), wv);
  return out;
}

// Adds a sample to the mean of its level's probes, or blends it between its level's slices; the last sample
// of a level is blended between levels, as filter_sample of filter.cpp does.
template <bool kByLane>
CUTAWAY_INLINE void accumulate(const WideTexture& t, const WidePlan& plan, const WideFootprint& at,
                               uint32_t level, uint32_t probe, uint32_t lane, const Color& sample,
                               WideAccumulator& out) {
  const int first = static_cast<int>(lane);
  const F8 weight = to_float(of_lanes<kByLane>(plan.fraction, first)) / 256.0f;
  if (plan.most_probes == 1) {
    for (uint32_t c = 0; c < 4; c++) {
      float* const to = &out.value[c][lane];
      store_floats(to, level == 0 ? sample.c[c] : lerp(load_floats(to), sample.c[c], weight));
    }
    return;
  }
  const I8 probes = of_lanes<kByLane>(plan.probes, first), now = I8{} + static_cast<int32_t>(probe);
  const I8 takes = (I8)(now < probes), ends = (I8)(now + 1 == probes);
  const F8 part = t.dimensions == 3 ? to_float((I8)load8(&at.fraction_w[lane])) / 256.0f
                                    : all(1 / static_cast<float>(probe + 1));
  for (uint32_t c = 0; c < 4; c++) {
    F8 mean = sample.c[c];
    if (probe > 0) {
      const F8 before = load_floats(&out.mean[c][lane]);
      mean = choose(takes, lerp(before, mean, part), before);
    }
    store_floats(&out.mean[c][lane], mean);
    const F8 value = load_floats(&out.value[c][lane]);
    const F8 done = level == 0 ? mean : lerp(value, mean, weight);
    store_floats(&out.value[c][lane], choose(ends, done, value));
  }
}

inline void filter_wide(const WideTexture& t, const WidePlan& plan, uint32_t level, uint32_t probe,
                        const WideFootprint& at, const WideTexels& texels, WideAccumulator& accumulator) {
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    if (!(at.quads >> lane & 255)) continue;
    Color sample = t.compare                       ? filter_compared(t, plan, at, texels, lane)
                   : t.texel == WideTexel::kUnorm8 ? filter_unorm8(plan, at, texels, lane)
                                                   : filter_colors(t, plan, at, texels, lane);
    if (t.bgra) {
      const F8 swapped = sample.c[0];
      sample.c[0] = sample.c[2], sample.c[2] = swapped;
    }
    if (plan.by_lane) accumulate<true>(t, plan, at, level, probe, lane, sample, accumulator);
    else accumulate<false>(t, plan, at, level, probe, lane, sample, accumulator);
  }
}

inline void finish_wide(const WideTexture& t, const WideAccumulator& accumulator,
                        uint32_t result[4][kWideLanes]) {
  for (uint32_t c = 0; c < 4; c++) {
    const uint32_t select = t.swizzle >> (4 * c) & 15;
    const U8 constant = U8{} + (select == 5 ? t.one : 0u);
    for (uint32_t lane = 0; lane < kWideLanes; lane += 8)
      store8(
          &result[c][lane],
          select < 4 ? load8(reinterpret_cast<const uint32_t*>(&accumulator.value[select][lane])) : constant);
  }
}

constexpr WideFunctions kWideFunctions = {plan_wide, footprint_wide, filter_wide, finish_wide};

}  // namespace cutaway::func::CUTAWAY_ALU
