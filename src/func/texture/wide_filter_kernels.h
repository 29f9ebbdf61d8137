// Filtering for whole groups: included after wide_fetch_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_filter_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/format/half_lanes.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// a + weight (b - a), a where the weight is zero.
CUTAWAY_INLINE Floats lerp(Floats a, Floats b, Floats weight) {
  return choose((Ints)(weight != 0.0f), a + weight * (b - a), a);
}

struct Color {
  Floats c[4];
};

CUTAWAY_INLINE Floats byte_to_float(Words word, uint32_t c) {
  return quotient(to_float((Ints)(word >> (8 * c) & 255)), 255);
}
CUTAWAY_INLINE Color bytes_to_color(Words word) {
  return {{byte_to_float(word, 0), byte_to_float(word, 1), byte_to_float(word, 2), byte_to_float(word, 3)}};
}

// filter_unorm8 of filter.cpp: the weighted sum is an integer of at most 24 bits, exact in a float; only the
// division rounds.
CUTAWAY_INLINE Color filter_bytes(const Words texel[4], Words fu, Words fv) {
  typedef uint16_t H16 __attribute__((vector_size(4 * kVector)));
  const Words fu2 = fu | fu << 16, gu2 = (256 - fu) | (256 - fu) << 16;
  const Floats low = to_float((Ints)fv), high = to_float((Ints)(256 - fv));
  Words row[2][2];  // [row][odd]: two channels in halves of 16 bits, weighted along the row
  CUTAWAY_UNROLL for (uint32_t r = 0; r < 2; r++) CUTAWAY_UNROLL for (int odd = 0; odd < 2; odd++) {
    const H16 a = (H16)(texel[2 * r] >> (8 * odd) & 0x00ff00ff),
              b = (H16)(texel[2 * r + 1] >> (8 * odd) & 0x00ff00ff);
    row[r][odd] = (Words)(a * (H16)gu2 + b * (H16)fu2);
  }
  Color out;
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
    const Floats upper = to_float((Ints)(c & 2 ? row[0][c & 1] >> 16 : row[0][c & 1] & 0xffff));
    const Floats lower = to_float((Ints)(c & 2 ? row[1][c & 1] >> 16 : row[1][c & 1] & 0xffff));
    out.c[c] = quotient(upper * high + lower * low, 255.0f * 65536);
  }
  return out;
}
CUTAWAY_INLINE Color filter_unorm8(const WidePlan& plan, const WideFootprint& at, const WideTexels& texels,
                                   uint32_t lane) {
  if (plan.texels == 1) return bytes_to_color(load(&texels.word[0][0][lane]));
  Words texel[4];
  CUTAWAY_UNROLL for (uint32_t i = 0; i < 4; i++) texel[i] = load(&texels.word[0][i][lane]);
  return filter_bytes(texel, load(&at.fraction_u[lane]), load(&at.fraction_v[lane]));
}

// R and G, B and A.
CUTAWAY_INLINE Color halves_to_color(Words first, Words second) {
  return {{halves_to_floats(first & 0xffff), halves_to_floats(first >> 16), halves_to_floats(second & 0xffff),
           halves_to_floats(second >> 16)}};
}

// decode_colors of block.cpp for BC1: decodes to bytes of R, G, B, A.
CUTAWAY_INLINE Words decode_bc1(Words colors, Words indices, Words texel, bool opaque) {
  const Words first = colors & 0xffff, second = colors >> 16, index = indices >> (2 * texel) & 3;
  const Ints three = (Ints)(first <= second) & (Ints)(index >= 2);
  // Thirds of the second end point: 0, 3, 1, 2.
  const Words thirds = (Words{} + 0x2130u) >> (4 * index) & 3;
  const auto between = [&](Words a, Words b) {
    const Words third = ((3 - thirds) * a + thirds * b) * 0xaaab >> 17;  // / 3: exact up to 2^16
    const Words half = (Words)((Ints)((a + b) >> 1) & (Ints)(index == 2));
    return (Words)choose(three, (Ints)half, (Ints)third);
  };
  const auto five = [](Words bits) { return bits << 3 | bits >> 2; };
  const auto six = [](Words bits) { return bits << 2 | bits >> 4; };
  const Words red = between(five(first >> 11), five(second >> 11));
  const Words green = between(six(first >> 5 & 63), six(second >> 5 & 63));
  const Words blue = between(five(first & 31), five(second & 31));
  const Ints clear = opaque ? Ints{} : three & (Ints)(index == 3);
  return red | green << 8 | blue << 16 | ((Words)~clear & 0xff000000u);
}

// One component of a texel as float.
CUTAWAY_INLINE Color texel_color(const WideTexture& t, const WideFootprint& at, const WideTexels& texels,
                                 uint32_t i, uint32_t lane) {
  if (t.texel == WideTexel::kDecoded) {
    Color out;
    for (uint32_t c = 0; c < 4; c++) out.c[c] = (Floats)load(&texels.word[c][i][lane]);
    return out;
  }
  const Words word = load(&texels.word[0][i][lane]);
  if (t.texel == WideTexel::kBytes) return bytes_to_color(word);
  if (t.texel == WideTexel::kHalves) {
    const Words second = load(&texels.word[1][i][lane]);
    return halves_to_color(word, second);
  }
  return bytes_to_color(
      decode_bc1(word, load(&texels.word[1][i][lane]), load(&at.in_block[i][lane]), t.opaque));
}

// filter_texels of filter.cpp for four texels.
CUTAWAY_INLINE Color filter_colors(const Color texel[4], Words fu, Words fv) {
  const Floats wu = to_float((Ints)fu) / 256.0f, wv = to_float((Ints)fv) / 256.0f;
  Color out;
  CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) out.c[c] =
      lerp(lerp(texel[0].c[c], texel[1].c[c], wu), lerp(texel[2].c[c], texel[3].c[c], wu), wv);
  return out;
}
CUTAWAY_INLINE Color filter_colors(const WideTexture& t, const WidePlan& plan, const WideFootprint& at,
                                   const WideTexels& texels, uint32_t lane) {
  if (plan.texels == 1) return texel_color(t, at, texels, 0, lane);
  Color color[4];
  CUTAWAY_UNROLL for (uint32_t i = 0; i < 4; i++) color[i] = texel_color(t, at, texels, i, lane);
  return filter_colors(color, load(&at.fraction_u[lane]), load(&at.fraction_v[lane]));
}

// 1 if the reference passes, otherwise 0 ("Depth Compare Operation").
CUTAWAY_INLINE Floats compared(const WideTexture& t, Floats reference, Floats texel) {
  Ints pass = Ints{} - 1;
  switch (static_cast<arch::Compare>(t.compare - 1)) {
    case arch::Compare::kNever:
      pass = Ints{};
      break;
    case arch::Compare::kLess:
      pass = (Ints)(reference < texel);
      break;
    case arch::Compare::kEqual:
      pass = (Ints)(reference == texel);
      break;
    case arch::Compare::kLessOrEqual:
      pass = (Ints)(reference <= texel);
      break;
    case arch::Compare::kGreater:
      pass = (Ints)(reference > texel);
      break;
    case arch::Compare::kNotEqual:
      pass = (Ints)(reference != texel);
      break;
    case arch::Compare::kGreaterOrEqual:
      pass = (Ints)(reference >= texel);
      break;
    default:
      break;
  }
  return (Floats)((Ints)all(1) & pass);
}

// Filters the outcomes of a comparison.
CUTAWAY_INLINE Color filter_compared(const WideTexture& t, const WidePlan& plan, const WideFootprint& at,
                                     const WideTexels& texels, uint32_t lane) {
  const Floats reference = load_floats(&plan.reference[lane]);
  const auto outcome = [&](uint32_t i) {
    return compared(t, reference, texel_color(t, at, texels, i, lane).c[0]);
  };
  Color out{{outcome(0), Floats{}, Floats{}, all(1)}};
  if (plan.texels == 1) return out;
  const Floats wu = to_float((Ints)load(&at.fraction_u[lane])) / 256.0f;
  const Floats wv = to_float((Ints)load(&at.fraction_v[lane])) / 256.0f;
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
  const Floats weight = to_float(of_lanes<kByLane>(plan.fraction, first)) / 256.0f;
  if (plan.most_probes == 1) {
    CUTAWAY_UNROLL for (uint32_t c = 0; c < 4; c++) {
      float* const to = &out.value[c][lane];
      store_floats(to, level == 0 ? sample.c[c] : lerp(load_floats(to), sample.c[c], weight));
    }
    return;
  }
  const Ints probes = of_lanes<kByLane>(plan.probes, first), now = Ints{} + static_cast<int32_t>(probe);
  const Ints takes = (Ints)(now < probes), ends = (Ints)(now + 1 == probes);
  const Floats part = t.dimensions == 3 ? to_float((Ints)load(&at.fraction_w[lane])) / 256.0f
                                        : all(1 / static_cast<float>(probe + 1));
  for (uint32_t c = 0; c < 4; c++) {
    Floats mean = sample.c[c];
    if (probe > 0) {
      const Floats before = load_floats(&out.mean[c][lane]);
      mean = choose(takes, lerp(before, mean, part), before);
    }
    store_floats(&out.mean[c][lane], mean);
    const Floats value = load_floats(&out.value[c][lane]);
    const Floats done = level == 0 ? mean : lerp(value, mean, weight);
    store_floats(&out.value[c][lane], choose(ends, done, value));
  }
}

inline void filter_wide(const WideTexture& t, const WidePlan& plan, uint32_t level, uint32_t probe,
                        const WideFootprint& at, const WideTexels& texels, WideAccumulator& accumulator) {
  for (uint32_t lane = 0; lane < kWideLanes; lane += kVector) {
    if (!(at.quads >> lane & kAllLanes)) continue;
    Color sample = t.compare                       ? filter_compared(t, plan, at, texels, lane)
                   : t.texel == WideTexel::kUnorm8 ? filter_unorm8(plan, at, texels, lane)
                                                   : filter_colors(t, plan, at, texels, lane);
    if (t.bgra) {
      const Floats swapped = sample.c[0];
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
    const Words constant = Words{} + (select == 5 ? t.one : 0u);
    for (uint32_t lane = 0; lane < kWideLanes; lane += kVector)
      store(&result[c][lane], select < 4
                                  ? load(reinterpret_cast<const uint32_t*>(&accumulator.value[select][lane]))
                                  : constant);
  }
}

}  // namespace cutaway::func::CUTAWAY_ALU
