// Samples of textures whose texels lie close together: included after wide_copy_kernels.h, under the same
// rules.
#ifndef CUTAWAY_ALU
#error "wide_window_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

#ifdef __AVX2__
constexpr int kSteps = kWideLanes / kVector;

// A value of each quad.
#ifdef __AVX512F__
using QuadFloats = HalfFloats;
using QuadInts = HalfInts;
#else
using QuadFloats = Floats;
using QuadInts = Ints;
#endif

// A coordinate of all lanes.
struct Coordinate {
  Floats step[kSteps];
};

// Levels in 1/256, or whole ones, of all quads.
struct QuadLevels {
  QuadInts fixed;
  bool known;  // no quad is so near the middle of two results that the exact logarithm must decide
};

// log2 to within 2^-20, for normal numbers: the whole part and the rest.
struct EstimatedLog2 {
  QuadFloats whole, part;
};
CUTAWAY_INLINE EstimatedLog2 estimated_log2(QuadFloats value) {
  const QuadInts bits = (QuadInts)value;
  const QuadFloats whole = __builtin_convertvector((bits >> 23) - 127, QuadFloats);
  // The polynomial of estimated_log2() for doubles.
  const QuadFloats t = (QuadFloats)((bits & 0x7fffff) | 0x3f800000) - 1.5f, t2 = t * t;
  const QuadFloats low =
      (0.5849627591044444f + 0.9617965401665325f * t) + (-0.3206318784567567f + 0.1425080240331094f * t) * t2;
  const QuadFloats high = (-0.07059455402262231f + 0.03761046428102153f * t) +
                          (-0.025110140952355357f + 0.01444035249463059f * t) * t2;
  return {whole, low + high * (t2 * t2)};
}

// The estimate of a level is off by less than 2^-10: its nearest number is right if it is no farther away.
constexpr float kSureOfLevel = 0.5f - 0x1p-10f;

}  // namespace cutaway::func::CUTAWAY_ALU

#ifdef __AVX512F__
#include "func/texture/wide_window_avx512_kernels.h"
#else
#include "func/texture/wide_window_avx2_kernels.h"
#endif

namespace cutaway::func::CUTAWAY_ALU {

// Samples a group. It is fastest if the group's level is `expected`, for which the processor need not wait.
// `expected` becomes the level of the group, if that is one.
template <bool kIntegers>
[[gnu::noinline]] bool sample_windows(const WideTexture& t, const TexelRows& copy, const WideOperands& in,
                                      uint32_t& expected, WidePlan& plan, uint32_t result[4][kWideLanes]) {
  const auto coordinate = [&](uint32_t c) __attribute__((always_inline)) {
    Coordinate out;
    CUTAWAY_UNROLL for (int i = 0; i < kSteps; i++) out.step[i] = (Floats)operand(in, 0, c, i * kVector);
    return out;
  };
  const Coordinate u = coordinate(0), v = coordinate(1);
  if (t.projective) {
    const Coordinate q = coordinate(3);
    Ints projects{};
    for (const Floats& divisor : q.step) projects |= (Ints)(divisor != 1.0f);
    if (mask_of(projects)) return false;
  }
  QuadInts weights{};
  uint32_t level = expected, quads = 0;
  if (t.needs_lod) {
    const QuadLevels levels = estimate_levels(t, u, v);
    if (!levels.known) return false;
    const QuadInts whole = t.mip_linear ? levels.fixed >> 8 : levels.fixed;
    if (mask_of((QuadInts)(whole != (QuadInts{} + static_cast<int32_t>(level))))) {
      if (mask_of((QuadInts)(whole != whole[0]))) return false;
      expected = level = static_cast<uint32_t>(whole[0]);
      asm volatile("" : "+r"(level));  // no conditional move, for which the processor would wait
    }
    weights = t.mip_linear ? levels.fixed & 255 : QuadInts{};
    quads = mask_of((QuadInts)(weights != 0));
  }
  if (quads ? !sample_levels<kIntegers, 2>(t, copy, u, v, level, weights, result)
            : !sample_levels<kIntegers, 1>(t, copy, u, v, level, weights, result))
    return false;
  plan.planned = ~0u;
  plan.levels = quads ? 2 : 1, plan.most_probes = 1;
  plan.second = lanes_of_quads(quads);
  return true;
}

inline bool sample_window(const WideTexture& t, const TexelRows& copy, const WideOperands& in,
                          uint32_t& expected, WidePlan& plan, uint32_t result[4][kWideLanes]) {
  return (t.texel == WideTexel::kUnorm8 ? sample_windows<true> : sample_windows<false>)(t, copy, in, expected,
                                                                                        plan, result);
}
#else
inline bool sample_window(const WideTexture&, const TexelRows&, const WideOperands&, uint32_t&, WidePlan&,
                          uint32_t[4][kWideLanes]) {
  return false;
}
#endif

constexpr WideFunctions kWideFunctions = {plan_wide,   footprint_wide,  fetch_words, filter_wide,
                                          finish_wide, sample_bilinear, sample_copy, sample_window};

}  // namespace cutaway::func::CUTAWAY_ALU
