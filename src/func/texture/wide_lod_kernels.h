// Levels and probes for whole groups. wide_portable.cpp and its like define CUTAWAY_ALU, then include this,
// under the rules of shader/alu_lanes.h.
#ifndef CUTAWAY_ALU
#error "wide_lod_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/shader/lanes.h"
#include "func/texture/cube.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// The value of each lane's quad: of kVector / 4 quads.
template <class Vector, class Value>
CUTAWAY_INLINE Vector spread(const Value* of_quad) {
#ifdef __AVX512F__
  const __m512i lane = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  const __m128i quads = _mm_loadu_si128(reinterpret_cast<const __m128i*>(of_quad));
  return (Vector)_mm512_permutexvar_epi32(lane, _mm512_castsi128_si512(quads));
#else
  const Value a = of_quad[0], b = of_quad[1];
  return Vector{a, a, a, a, b, b, b, b};
#endif
}

CUTAWAY_INLINE Floats load_floats(const float* values) {
  return (Floats)load(reinterpret_cast<const uint32_t*>(values));
}
CUTAWAY_INLINE void store_floats(float* to, Floats values) {
  store(reinterpret_cast<uint32_t*>(to), (Words)values);
}
CUTAWAY_INLINE void put(float* to, HalfFloats values) {
  *reinterpret_cast<UnalignedHalfFloats*>(to) = (UnalignedHalfFloats)values;
}
CUTAWAY_INLINE void put(int32_t* to, HalfInts values) {
  *reinterpret_cast<UnalignedHalfInts*>(to) = (UnalignedHalfInts)values;
}
CUTAWAY_INLINE float as_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// lod_log2 of level_of_detail.h, operation for operation.
CUTAWAY_INLINE Doubles log2_lod(Doubles value) {
  const LongWords bits = (LongWords)value;
  Longs exponent = (Longs)(bits >> 52) - 1023;
  Doubles mantissa = (Doubles)((bits & 0xfffffffffffff) | uint64_t{1023} << 52);
  const Longs high = mantissa > 1.4142135623730951;
  mantissa = choose(high, mantissa * 0.5, mantissa);
  const Longs huge = exponent >= 1024, tiny = exponent < -1022;
  exponent -= high;
  const Doubles s = (mantissa - 1) / (mantissa + 1), square = s * s;
  const Doubles series =
      1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square / 11))));
  constexpr double kTwoOverLn2 = 2.8853900817779268;
  // Exponents are small, so the low bits of a shifted number hold them exactly.
  constexpr double kMagic = 6755399441055744.0;
  const Doubles magic = Doubles{} + kMagic;
  const Doubles whole = (Doubles)(exponent + (Longs)magic) - magic;
  Doubles result = whole + kTwoOverLn2 * s * series;
  const Doubles most_lod = Doubles{} + 1024.0, least_lod = Doubles{} - 1024.0;
  result = choose(huge, most_lod, result);
  return choose(tiny | (Longs)(value <= 0), least_lod, result);
}

// Derivatives of u, v and w at kDoubles places: the first lanes of quads, or lanes.
struct Gradients {
  Doubles x[3], y[3];
};

// cube_gradient of cube.h: converts derivatives of a direction to those of s and t.
CUTAWAY_INLINE void cube_gradients(uint32_t face, const float direction[3], const float x[3],
                                   const float y[3], int i, Gradients& out) {
  const CubeFace& axes = kCubeFace[face];
  const float along = direction[face / 2];
  const double rc = face % 2 ? -along : along;
  const double sc = static_cast<float>(axes.s_sign) * direction[axes.s_axis];
  const double tc = static_cast<float>(axes.t_sign) * direction[axes.t_axis];
  const auto one = [&](const float d[3], Doubles to[3]) {
    const double d_rc = face % 2 ? -d[face / 2] : d[face / 2];
    const double d_sc = static_cast<double>(axes.s_sign) * d[axes.s_axis];
    const double d_tc = static_cast<double>(axes.t_sign) * d[axes.t_axis];
    to[0][i] = 0.5 * (rc * d_sc - sc * d_rc) / (rc * rc);
    to[1][i] = 0.5 * (rc * d_tc - tc * d_rc) / (rc * rc);
  };
  one(x, out.x), one(y, out.y);
}

// Lane kLane of kDoubles quads.
template <int kLane>
CUTAWAY_INLINE HalfFloats of_quads(const float* lanes) {
  const Floats a = load_floats(lanes), b = load_floats(lanes + kVector);
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, kLane, kLane + 4, kLane + 8, kLane + 12, kLane + 16, kLane + 20,
                                 kLane + 24, kLane + 28);
#else
  return __builtin_shufflevector(a, b, kLane, kLane + 4, kLane + 8, kLane + 12);
#endif
}

// Differences across the quads from first_quad on.
template <uint32_t kDimensions>
CUTAWAY_INLINE Gradients flat_gradients(const WidePlan& plan, int first_quad) {
  const float* const coordinate[3] = {plan.u, plan.v, plan.w};
  Gradients out{};
  for (uint32_t c = 0; c < kDimensions; c++) {
    const float* const value = coordinate[c] + 4 * first_quad;
    const HalfFloats at = of_quads<0>(value);
    out.x[c] = to_doubles(of_quads<1>(value) - at);
    out.y[c] = to_doubles(of_quads<2>(value) - at);
  }
  return out;
}

CUTAWAY_INLINE Gradients implicit_gradients(const WideTexture& t, const WideOperands& in,
                                            const WidePlan& plan, int first_quad) {
  if (!t.cube) {
    if (t.dimensions == 2) return flat_gradients<2>(plan, first_quad);
    return t.dimensions == 1 ? flat_gradients<1>(plan, first_quad) : flat_gradients<3>(plan, first_quad);
  }
  Gradients out{};
  for (int i = 0; i < kDoubles; i++) {
    const int lane = 4 * (first_quad + i);
    float at[3], x[3], y[3];
    for (int c = 0; c < 3; c++) {
      const uint32_t* const value = in.source[0][c] + lane;
      at[c] = as_float(value[0]);
      x[c] = as_float(value[1]) - at[c];
      y[c] = as_float(value[2]) - at[c];
    }
    cube_gradients(plan.face[lane], at, x, y, i, out);
  }
  return out;
}

// TXD's sources, for the lanes from `first` on.
CUTAWAY_INLINE Gradients explicit_gradients(const WideTexture& t, const WideOperands& in,
                                            const WidePlan& plan, int first) {
  Gradients out{};
  for (int i = 0; i < kDoubles; i++) {
    const int lane = first + i;
    float value[3][3];
    for (int source = 0; source < 3; source++)
      for (uint32_t c = 0; c < (t.cube ? 3 : t.dimensions); c++)
        value[source][c] = as_float(in.source[source][c][lane]);
    if (t.cube) {
      cube_gradients(plan.face[lane], value[0], value[1], value[2], i, out);
      continue;
    }
    for (uint32_t c = 0; c < t.dimensions; c++) out.x[c][i] = value[1][c], out.y[c][i] = value[2][c];
  }
  return out;
}

// pixel_shape of sample.cpp.
struct Shape {
  Doubles lod;  // before the bias
  Longs probes;
};

// The squares of both sides of the pixels' shapes on level 0, in texels.
struct Sides {
  Doubles x, y;
};

template <uint32_t kDimensions>
CUTAWAY_INLINE Sides pixel_sides(const WideTexture& t, const Gradients& change) {
  const double width = t.level.width_float[0], height = t.level.height_float[0];
  const Doubles u_x = change.x[0] * width, u_y = change.y[0] * width;
  const Doubles v_x = change.x[1] * height, v_y = change.y[1] * height;
  Sides sides{u_x * u_x + v_x * v_x, u_y * u_y + v_y * v_y};
  if (kDimensions == 3 && t.dimensions == 3) {
    const double depth = t.level.depth_float[0];
    const Doubles w_x = change.x[2] * depth, w_y = change.y[2] * depth;
    sides.x += w_x * w_x, sides.y += w_y * w_y;
  }
  return sides;
}

template <uint32_t kDimensions = 3>
CUTAWAY_INLINE Shape pixel_shape(const WideTexture& t, const Gradients& change, int slot, WidePlan& plan) {
  const auto [x, y] = pixel_sides<kDimensions>(t, change);
  const Longs x_longer = (Longs)(x > y);
  const Doubles longer = choose(x_longer, x, y);
  if (t.max_anisotropy <= 1) return {0.5 * log2_lod(longer), Longs{} + 1};
  const Doubles shorter = choose(x_longer, y, x);
  const double limit = t.max_anisotropy * t.max_anisotropy;
  const Longs minified = (Longs)(longer > 1.0);
  Doubles ratio = choose((Longs)(longer < shorter * limit), longer / shorter, Doubles{} + limit);
  ratio = choose(minified, ratio, Doubles{} + 1.0);
  Longs probes = Longs{} + 1;
  for (uint32_t n = 1; n < t.max_anisotropy; n++) probes -= (Longs)(ratio > static_cast<double>(n * n));
  const Doubles du = choose(x_longer, change.x[0], change.y[0]),
                dv = choose(x_longer, change.x[1], change.y[1]);
  put(plan.du + slot, __builtin_convertvector(du, HalfFloats));
  put(plan.dv + slot, __builtin_convertvector(dv, HalfFloats));
  return {0.5 * log2_lod(longer / ratio), probes};
}

// Applies limits and chooses levels and filter, for kDoubles quads or lanes; lod includes its bias.
CUTAWAY_INLINE void choose_level(const WideTexture& t, Doubles lod, Longs probes, int slot, WidePlan& plan) {
  constexpr double kMagic = 6755399441055744.0;
  const Doubles highest = Doubles{} + t.max_lod, lowest = Doubles{} + t.min_lod, zero{};
  lod = least(highest, lod);
  lod = choose((Longs)(lod >= lowest), lod, lowest);
  lod = choose((Longs)(lod == lod), lod, zero);
  const Doubles level = most(least(lod, Doubles{} + static_cast<double>(t.levels - 1)), zero);
  const HalfInts minified = __builtin_convertvector((Longs)(lod > 0), HalfInts), one = HalfInts{} + 1;
  const HalfInts linear =
      choose(minified, HalfInts{} - int32_t{t.linear[1]}, HalfInts{} - int32_t{t.linear[0]});
  const HalfInts samples = t.dimensions == 3 ? one + one : __builtin_convertvector(probes, HalfInts);
  HalfInts at{}, fraction{};
  if (t.mip_nearest) {  // ceil(level + 1/2) - 1
    const Doubles up = level + 0.5;
    at = __builtin_convertvector(up, HalfInts);
    at += __builtin_convertvector((Longs)(to_doubles(at) == up), HalfInts);
  } else if (t.mip_linear) {  // rounds to the nearest 1/256, ties to even
    const HalfInts fixed = __builtin_convertvector((Longs)(level * 256 + kMagic), HalfInts);
    at = fixed >> 8;
    fraction = fixed & 255;
  }
  put(plan.level + slot, at);
  put(plan.fraction + slot, fraction);
  put(plan.linear + slot, linear);
  put(plan.probes + slot, choose(linear, samples, one));
}

CUTAWAY_INLINE Doubles to_doubles(const uint32_t* bits) {
  const HalfFloats floats = (HalfFloats) * reinterpret_cast<const UnalignedHalfFloats*>(bits);
  return to_doubles(floats);
}

// lane_lod of sample.cpp for TXB: limits the sum of the sampler's and the lanes' bias.
CUTAWAY_INLINE Doubles limited_bias(Doubles bias) {
  const Doubles most = Doubles{} + 16.0, least = Doubles{} - 16.0;
  const Longs number = (Longs)(bias == bias), below = ~(Longs)(bias >= least);
  return choose((Longs)(bias > most), most, choose(below, choose(number, least, Doubles{}), bias));
}

// The first lane of each lane's quad.
CUTAWAY_INLINE Words first_of_quads(Words v) {
#ifdef __AVX512F__
  return __builtin_shufflevector(v, v, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
#else
  return __builtin_shufflevector(v, v, 0, 0, 0, 0, 4, 4, 4, 4);
#endif
}

// Stores values per quad if all lanes of every quad agree.
CUTAWAY_INLINE void merge_lanes(const WideTexture& t, WidePlan& plan) {
  int32_t* const all[4] = {plan.probes, plan.level, plan.fraction, plan.linear};
  Words differ{};
  for (const int32_t* values : all)
    for (uint32_t lane = 0; lane < kWideLanes; lane += kVector) {
      const Words v = load(reinterpret_cast<const uint32_t*>(values) + lane);
      differ |= v ^ first_of_quads(v);
    }
  const bool directions = t.max_anisotropy > 1 && plan.most_probes > 1;
  if (directions || mask_of((Ints)(differ != 0))) return;
  plan.by_lane = false;
  for (int32_t* values : all)
    for (uint32_t quad = 0; quad < kWideQuads; quad++) values[quad] = values[4 * quad];
}

// TXB: levels per quad plus a bias per lane.
CUTAWAY_INLINE void choose_biased_levels(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  double base[kWideQuads];
  int64_t probes[kWideQuads];
  for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += kDoubles) {
    const Shape shape = pixel_shape(t, implicit_gradients(t, in, plan, quad), quad, plan);
    for (int i = 0; i < kDoubles; i++) base[quad + i] = shape.lod[i], probes[quad + i] = shape.probes[i];
  }
  // By lane, from the last on: du and dv of the quads are read before those of the lanes are written.
  for (int lane = static_cast<int>(kWideLanes) - kDoubles; lane >= 0; lane -= kDoubles) {
    const Doubles bias = limited_bias(to_doubles(in.source[1][0] + lane) + t.sampler_bias);
    Doubles lod;
    Longs taken;
    float du[kDoubles], dv[kDoubles];
    for (int i = 0; i < kDoubles; i++) {
      const int quad = (lane + i) / 4;
      lod[i] = base[quad], taken[i] = probes[quad];
      du[i] = plan.du[quad], dv[i] = plan.dv[quad];
    }
    choose_level(t, lod + bias, taken, lane, plan);
    for (int i = 0; i < kDoubles; i++) plan.du[lane + i] = du[i], plan.dv[lane + i] = dv[i];
  }
}

// All cases except the implicit level of plain textures.
[[gnu::noinline]] inline void choose_other_levels(const WideTexture& t, const WideOperands& in,
                                                  WidePlan& plan) {
  using Lod = WideTexture::Lod;
  plan.by_lane = t.lod != Lod::kImplicit;
  if (t.lod == Lod::kBiased) return choose_biased_levels(t, in, plan);
  if (t.lod == Lod::kImplicit) {
    for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += kDoubles) {
      const Shape shape = pixel_shape(t, implicit_gradients(t, in, plan, quad), quad, plan);
      choose_level(t, shape.lod + t.lod_bias, shape.probes, quad, plan);
    }
    return;
  }
  for (int lane = 0; lane < static_cast<int>(kWideLanes); lane += kDoubles) {
    if (t.lod == Lod::kExplicit) {
      choose_level(t, to_doubles(in.source[1][0] + lane) + t.lod_bias, Longs{} + 1, lane, plan);
      continue;
    }
    const Shape shape = pixel_shape(t, explicit_gradients(t, in, plan, lane), lane, plan);
    choose_level(t, shape.lod + t.lod_bias, shape.probes, lane, plan);
  }
}

// log2 to within 2^-21, for values in [2^-60, 2^60].
CUTAWAY_INLINE Doubles estimated_log2(Doubles value) {
  constexpr double kMagic = 6755399441055744.0;
  const LongWords bits = (LongWords)value;
  const Doubles whole = (Doubles)((Longs)(bits >> 52) - 1023 + (Longs)(Doubles{} + kMagic)) - kMagic;
  // The polynomial through log2(t + 3/2) at the Chebyshev nodes of [-1/2, 1/2].
  const Doubles t = (Doubles)((bits & 0xfffffffffffff) | uint64_t{1023} << 52) - 1.5, t2 = t * t;
  const Doubles low =
      (0.5849627591044444 + 0.9617965401665325 * t) + (-0.3206318784567567 + 0.1425080240331094 * t) * t2;
  const Doubles high = (-0.07059455402262231 + 0.03761046428102153 * t) +
                       (-0.025110140952355357 + 0.01444035249463059 * t) * t2;
  return whole + (low + high * (t2 * t2));
}

// choose_level() for textures whose levels can be estimated: by a logarithm that takes less time. Returns
// false if a level is so near the middle of two results that the exact logarithm must decide.
CUTAWAY_INLINE bool estimate_level(const WideTexture& t, Doubles longer, int quad, WidePlan& plan) {
  constexpr double kMagic = 6755399441055744.0, kNear = 0.5 - 0x1p-12;
  // Levels that far from those of the texture are clamped alike; NaN counts as large.
  const Doubles value = most(least(longer, Doubles{} + 0x1p60), Doubles{} + 0x1p-60);
  Doubles lod = 0.5 * estimated_log2(value) + t.lod_bias;
  lod = most(least(lod, Doubles{} + t.max_lod), Doubles{} + t.min_lod);
  lod = most(least(lod, Doubles{} + static_cast<double>(t.levels - 1)), Doubles{});
  const Doubles scaled = lod * (t.mip_linear ? 256.0 : 1.0), shifted = scaled + kMagic;
  const Doubles away = scaled - (shifted - kMagic);
  const Longs near = (Longs)(away > kNear) | (Longs)(away < -kNear);
  const HalfInts fixed = __builtin_convertvector((Longs)shifted, HalfInts);
  put(plan.level + quad, t.mip_linear ? fixed >> 8 : fixed);
  put(plan.fraction + quad, t.mip_linear ? fixed & 255 : HalfInts{});
  put(plan.linear + quad, HalfInts{} - int32_t{t.linear[0]});
  put(plan.probes + quad, HalfInts{} + 1);
  return !mask_of(near);
}

CUTAWAY_INLINE void choose_levels(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  plan.by_lane = false;
  if (!t.needs_lod) {
    for (uint32_t i = 0; i < kWideQuads; i++) {
      plan.level[i] = plan.fraction[i] = 0;
      plan.linear[i] = t.linear[0] ? -1 : 0;
      plan.probes[i] = t.linear[0] && t.dimensions == 3 ? 2 : 1;
    }
    return;
  }
  if (!t.plain || t.lod != WideTexture::Lod::kImplicit) return choose_other_levels(t, in, plan);
  for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += kDoubles) {
    const Gradients change = flat_gradients<2>(plan, quad);
    const Sides sides = pixel_sides<2>(t, change);
    if (t.estimates && estimate_level(t, most(sides.x, sides.y), quad, plan)) continue;
    const Shape shape = pixel_shape<2>(t, change, quad, plan);
    choose_level(t, shape.lod + t.lod_bias, shape.probes, quad, plan);
  }
}

}  // namespace cutaway::func::CUTAWAY_ALU
