// Levels and probes for whole groups. wide_portable.cpp and wide_avx2.cpp define CUTAWAY_ALU, then include
// this, under the rules of shader/alu_lanes.h. Uses vectors of eight lanes; the portable translation splits
// them.
#ifndef CUTAWAY_ALU
#error "wide_lod_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/shader/lanes8.h"
#include "func/texture/cube.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// One value per quad, for two quads.
CUTAWAY_INLINE I8 pair(int32_t a, int32_t b) { return I8{a, a, a, a, b, b, b, b}; }
CUTAWAY_INLINE F8 pair(float a, float b) { return F8{a, a, a, a, b, b, b, b}; }

CUTAWAY_INLINE F8 load_floats(const float* values) {
  return (F8)load8(reinterpret_cast<const uint32_t*>(values));
}
CUTAWAY_INLINE void store_floats(float* to, F8 values) {
  store8(reinterpret_cast<uint32_t*>(to), (U8)values);
}
CUTAWAY_INLINE float as_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// lod_log2 of level_of_detail.h, operation for operation.
CUTAWAY_INLINE D4 log2_lod(D4 value) {
  const V4 bits = (V4)value;
  J4 exponent = (J4)(bits >> 52) - 1023;
  D4 mantissa = (D4)((bits & 0xfffffffffffff) | uint64_t{1023} << 52);
  const J4 high = mantissa > 1.4142135623730951;
  mantissa = choose(high, mantissa * 0.5, mantissa);
  const J4 huge = exponent >= 1024, tiny = exponent < -1022;
  exponent -= high;
  const D4 s = (mantissa - 1) / (mantissa + 1), square = s * s;
  const D4 series =
      1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square / 11))));
  constexpr double kTwoOverLn2 = 2.8853900817779268;
  // Exponents are small, so the low bits of a shifted number hold them exactly.
  constexpr double kMagic = 6755399441055744.0;
  const D4 magic = D4{} + kMagic;
  const D4 whole = (D4)(exponent + (J4)magic) - magic;
  D4 result = whole + kTwoOverLn2 * s * series;
  const D4 most_lod = D4{} + 1024.0, least_lod = D4{} - 1024.0;
  result = choose(huge, most_lod, result);
  return choose(tiny | (J4)(value <= 0), least_lod, result);
}

// Derivatives of u, v and w at four places: the first lanes of quads, or lanes.
struct Gradients {
  D4 x[3], y[3];
};

// cube_gradient of cube.h: converts derivatives of a direction to those of s and t.
CUTAWAY_INLINE void cube_gradients(uint32_t face, const float direction[3], const float x[3],
                                   const float y[3], int i, Gradients& out) {
  const CubeFace& axes = kCubeFace[face];
  const float along = direction[face / 2];
  const double rc = face % 2 ? -along : along;
  const double sc = static_cast<float>(axes.s_sign) * direction[axes.s_axis];
  const double tc = static_cast<float>(axes.t_sign) * direction[axes.t_axis];
  const auto one = [&](const float d[3], D4 to[3]) {
    const double d_rc = face % 2 ? -d[face / 2] : d[face / 2];
    const double d_sc = static_cast<double>(axes.s_sign) * d[axes.s_axis];
    const double d_tc = static_cast<double>(axes.t_sign) * d[axes.t_axis];
    to[0][i] = 0.5 * (rc * d_sc - sc * d_rc) / (rc * rc);
    to[1][i] = 0.5 * (rc * d_tc - tc * d_rc) / (rc * rc);
  };
  one(x, out.x), one(y, out.y);
}

// Differences across the quads from first_quad on.
template <uint32_t kDimensions>
CUTAWAY_INLINE Gradients flat_gradients(const WidePlan& plan, int first_quad) {
  const float* const coordinate[3] = {plan.u, plan.v, plan.w};
  Gradients out{};
  for (uint32_t c = 0; c < kDimensions; c++) {
    const float* const value = coordinate[c] + 4 * first_quad;
    out.x[c] = D4{value[1] - value[0], value[5] - value[4], value[9] - value[8], value[13] - value[12]};
    out.y[c] = D4{value[2] - value[0], value[6] - value[4], value[10] - value[8], value[14] - value[12]};
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
  for (int i = 0; i < 4; i++) {
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
  for (int i = 0; i < 4; i++) {
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
  D4 lod;  // before the bias
  J4 probes;
};

template <uint32_t kDimensions = 3>
CUTAWAY_INLINE Shape pixel_shape(const WideTexture& t, const Gradients& change, int slot, WidePlan& plan) {
  const double width = t.level[0].width_float, height = t.level[0].height_float;
  const D4 u_x = change.x[0] * width, u_y = change.y[0] * width;
  const D4 v_x = change.x[1] * height, v_y = change.y[1] * height;
  D4 x = u_x * u_x + v_x * v_x, y = u_y * u_y + v_y * v_y;
  if (kDimensions == 3 && t.dimensions == 3) {
    const double depth = t.level[0].depth_float;
    const D4 w_x = change.x[2] * depth, w_y = change.y[2] * depth;
    x += w_x * w_x, y += w_y * w_y;
  }
  const J4 x_longer = (J4)(x > y);
  const D4 longer = choose(x_longer, x, y);
  if (t.max_anisotropy <= 1) return {0.5 * log2_lod(longer), J4{} + 1};
  const D4 shorter = choose(x_longer, y, x);
  const double limit = t.max_anisotropy * t.max_anisotropy;
  const J4 minified = (J4)(longer > 1.0);
  D4 ratio = choose((J4)(longer < shorter * limit), longer / shorter, D4{} + limit);
  ratio = choose(minified, ratio, D4{} + 1.0);
  J4 probes = J4{} + 1;
  for (uint32_t n = 1; n < t.max_anisotropy; n++) probes -= (J4)(ratio > static_cast<double>(n * n));
  const D4 du = choose(x_longer, change.x[0], change.y[0]), dv = choose(x_longer, change.x[1], change.y[1]);
  for (int i = 0; i < 4; i++) {
    plan.du[slot + i] = static_cast<float>(du[i]);
    plan.dv[slot + i] = static_cast<float>(dv[i]);
  }
  return {0.5 * log2_lod(longer / ratio), probes};
}

// Applies limits and chooses levels and filter, for four quads or lanes; lod includes its bias.
CUTAWAY_INLINE void choose_level(const WideTexture& t, D4 lod, J4 probes, int slot, WidePlan& plan) {
  const D4 highest = D4{} + t.max_lod, lowest = D4{} + t.min_lod, zero{};
  lod = choose((J4)(lod > highest), highest, lod);
  lod = choose((J4)(lod >= lowest), lod, lowest);
  lod = choose((J4)(lod == lod), lod, zero);
  const double last = static_cast<double>(t.levels - 1);
  D4 level = choose((J4)(lod < last), lod, D4{} + last);
  level = choose((J4)(lod > 0), level, zero);
  const bool volume = t.dimensions == 3;
  for (int i = 0; i < 4; i++) {
    const int at = slot + i;
    const bool linear = t.linear[lod[i] > 0];
    plan.linear[at] = linear ? -1 : 0;
    plan.probes[at] = !linear ? 1 : volume ? 2 : static_cast<int32_t>(probes[i]);
    plan.level[at] = plan.fraction[at] = 0;
    if (t.mip_nearest) {  // ceil(level + 1/2) - 1
      const double up = level[i] + 0.5;
      const auto whole = static_cast<int32_t>(up);
      plan.level[at] = whole - (static_cast<double>(whole) == up);
    } else if (t.mip_linear) {  // rounds to the nearest 1/256, ties to even
      constexpr double kMagic = 6755399441055744.0;
      const double shifted = level[i] * 256 + kMagic;
      const auto fixed = static_cast<int32_t>(__builtin_bit_cast(uint64_t, shifted));
      plan.level[at] = fixed >> 8;
      plan.fraction[at] = fixed & 255;
    }
  }
}

CUTAWAY_INLINE D4 to_doubles(const uint32_t* bits) {
  return D4{as_float(bits[0]), as_float(bits[1]), as_float(bits[2]), as_float(bits[3])};
}

// lane_lod of sample.cpp for TXB: limits the sum of the sampler's and the lanes' bias.
CUTAWAY_INLINE D4 limited_bias(D4 bias) {
  const D4 most = D4{} + 16.0, least = D4{} - 16.0;
  const J4 number = (J4)(bias == bias), below = ~(J4)(bias >= least);
  return choose((J4)(bias > most), most, choose(below, choose(number, least, D4{}), bias));
}

// Stores values per quad if all lanes of every quad agree.
CUTAWAY_INLINE void merge_lanes(const WideTexture& t, WidePlan& plan) {
  int32_t* const all[4] = {plan.probes, plan.level, plan.fraction, plan.linear};
  U8 differ{};
  for (const int32_t* values : all)
    for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
      const U8 v = load8(reinterpret_cast<const uint32_t*>(values) + lane);
      differ |= v ^ __builtin_shufflevector(v, v, 0, 0, 0, 0, 4, 4, 4, 4);
    }
  const bool directions = t.max_anisotropy > 1 && plan.most_probes > 1;
  if (directions || mask_of((I8)(differ != 0))) return;
  plan.by_lane = false;
  for (int32_t* values : all)
    for (uint32_t quad = 0; quad < kWideQuads; quad++) values[quad] = values[4 * quad];
}

// TXB: levels per quad plus a bias per lane.
CUTAWAY_INLINE void choose_biased_levels(const WideTexture& t, const WideOperands& in, WidePlan& plan) {
  double base[kWideQuads];
  int64_t probes[kWideQuads];
  for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += 4) {
    const Shape shape = pixel_shape(t, implicit_gradients(t, in, plan, quad), quad, plan);
    for (int i = 0; i < 4; i++) base[quad + i] = shape.lod[i], probes[quad + i] = shape.probes[i];
  }
  for (int quad = static_cast<int>(kWideQuads); quad-- > 0;) {
    const D4 bias = limited_bias(to_doubles(in.source[1][0] + 4 * quad) + t.sampler_bias);
    choose_level(t, base[quad] + bias, J4{} + probes[quad], 4 * quad, plan);
    const float du = plan.du[quad], dv = plan.dv[quad];
    for (int i = 0; i < 4; i++) plan.du[4 * quad + i] = du, plan.dv[4 * quad + i] = dv;
  }
}

// All cases except the implicit level of plain textures.
[[gnu::noinline]] inline void choose_other_levels(const WideTexture& t, const WideOperands& in,
                                                  WidePlan& plan) {
  using Lod = WideTexture::Lod;
  plan.by_lane = t.lod != Lod::kImplicit;
  if (t.lod == Lod::kBiased) return choose_biased_levels(t, in, plan);
  if (t.lod == Lod::kImplicit) {
    for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += 4) {
      const Shape shape = pixel_shape(t, implicit_gradients(t, in, plan, quad), quad, plan);
      choose_level(t, shape.lod + t.lod_bias, shape.probes, quad, plan);
    }
    return;
  }
  for (int lane = 0; lane < static_cast<int>(kWideLanes); lane += 4) {
    if (t.lod == Lod::kExplicit) {
      choose_level(t, to_doubles(in.source[1][0] + lane) + t.lod_bias, J4{} + 1, lane, plan);
      continue;
    }
    const Shape shape = pixel_shape(t, explicit_gradients(t, in, plan, lane), lane, plan);
    choose_level(t, shape.lod + t.lod_bias, shape.probes, lane, plan);
  }
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
  for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += 4) {
    const Shape shape = pixel_shape<2>(t, flat_gradients<2>(plan, quad), quad, plan);
    choose_level(t, shape.lod + t.lod_bias, shape.probes, quad, plan);
  }
}

}  // namespace cutaway::func::CUTAWAY_ALU
