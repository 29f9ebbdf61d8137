// Where texels of whole groups lie: included by wide_portable.cpp and wide_avx2.cpp after defining
// CUTAWAY_ALU, under the rules of shader/alu_lanes.h. Vectors of eight lanes, which the portable translation
// splits.
#ifndef CUTAWAY_ALU
#error "wide_plan_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/shader/lanes8.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

// Values of two quads.
CUTAWAY_INLINE I8 pair(int32_t a, int32_t b) { return I8{a, a, a, a, b, b, b, b}; }
CUTAWAY_INLINE F8 pair(float a, float b) { return F8{a, a, a, a, b, b, b, b}; }

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
  // Exponents are small: the low bits of a shifted number hold them exactly.
  constexpr double kMagic = 6755399441055744.0;
  const D4 magic = D4{} + kMagic;
  const D4 whole = (D4)(exponent + (J4)magic) - magic;
  D4 result = whole + kTwoOverLn2 * s * series;
  const D4 most_lod = D4{} + 1024.0, least_lod = D4{} - 1024.0;
  result = choose(huge, most_lod, result);
  return choose(tiny | (J4)(value <= 0), least_lod, result);
}

// pixel_shape and implicit_shape of sample.cpp for four quads: gradients at lane 0.
struct Shape {
  D4 lod;  // before the bias
  J4 probes;
};

CUTAWAY_INLINE Shape pixel_shape(const WideTexture& t, int first_quad, WidePlan& plan) {
  D4 dudx, dudy, dvdx, dvdy;
  for (int i = 0; i < 4; i++) {
    const float *u = plan.u + 4 * (first_quad + i), *v = plan.v + 4 * (first_quad + i);
    dudx[i] = u[1] - u[0], dudy[i] = u[2] - u[0];
    dvdx[i] = v[1] - v[0], dvdy[i] = v[2] - v[0];
  }
  const double width = t.level[0].width_float, height = t.level[0].height_float;
  const D4 u_x = dudx * width, u_y = dudy * width, v_x = dvdx * height, v_y = dvdy * height;
  const D4 x = u_x * u_x + v_x * v_x, y = u_y * u_y + v_y * v_y;
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
  const D4 du = choose(x_longer, dudx, dudy), dv = choose(x_longer, dvdx, dvdy);
  for (int i = 0; i < 4; i++) {
    plan.du[first_quad + i] = static_cast<float>(du[i]);
    plan.dv[first_quad + i] = static_cast<float>(dv[i]);
  }
  return {0.5 * log2_lod(longer / ratio), probes};
}

// Bias, limits, choice of levels and filter.
CUTAWAY_INLINE void choose_levels(const WideTexture& t, WidePlan& plan) {
  if (!t.needs_lod) {
    for (uint32_t i = 0; i < kWideQuads; i++) {
      plan.level[i] = plan.fraction[i] = 0, plan.probes[i] = 1;
      plan.linear[i] = t.linear[0];
    }
    return;
  }
  for (int first = 0; first < static_cast<int>(kWideQuads); first += 4) {
    const Shape shape = pixel_shape(t, first, plan);
    D4 lod = shape.lod + t.lod_bias;
    const D4 highest = D4{} + t.max_lod, lowest = D4{} + t.min_lod, zero{};
    lod = choose((J4)(lod > highest), highest, lod);
    lod = choose((J4)(lod >= lowest), lod, lowest);
    lod = choose((J4)(lod == lod), lod, zero);
    const double last = static_cast<double>(t.levels - 1);
    D4 level = choose((J4)(lod < last), lod, D4{} + last);
    level = choose((J4)(lod > 0), level, zero);
    for (int i = 0; i < 4; i++) {
      const int quad = first + i;
      plan.linear[quad] = t.linear[lod[i] > 0];
      plan.probes[quad] = plan.linear[quad] ? static_cast<int32_t>(shape.probes[i]) : 1;
      plan.level[quad] = plan.fraction[quad] = 0;
      if (t.mip_nearest) {  // ceil(level + 1/2) - 1
        const double up = level[i] + 0.5;
        const auto whole = static_cast<int32_t>(up);
        plan.level[quad] = whole - (static_cast<double>(whole) == up);
      } else if (t.mip_linear) {  // to the nearest 1/256, ties to even
        constexpr double kMagic = 6755399441055744.0;
        const double shifted = level[i] * 256 + kMagic;
        const auto fixed = static_cast<int32_t>(__builtin_bit_cast(uint64_t, shifted));
        plan.level[quad] = fixed >> 8;
        plan.fraction[quad] = fixed & 255;
      }
    }
  }
}

inline void plan_wide(const WideTexture& t, const uint32_t* u_bits, const uint32_t* v_bits,
                      const uint32_t* q_bits, WidePlan& plan) {
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    F8 u = (F8)load8(u_bits + lane), v = (F8)load8(v_bits + lane);
    if (t.projective) {
      const F8 q = (F8)load8(q_bits + lane);
      u /= q, v /= q;
    }
    store8(reinterpret_cast<uint32_t*>(plan.u) + lane, (U8)u);
    store8(reinterpret_cast<uint32_t*>(plan.v) + lane, (U8)v);
  }
  choose_levels(t, plan);
  bool linear = false, second = false;
  int32_t probes = 1;
  for (uint32_t i = 0; i < kWideQuads; i++) {
    linear |= plan.linear[i];
    second |= plan.fraction[i] != 0;
    probes = plan.probes[i] > probes ? plan.probes[i] : probes;
  }
  plan.levels = second ? 2 : 1;
  plan.most_probes = static_cast<uint32_t>(probes);
  plan.texels = linear ? 4 : 1;
  plan.planned = ~0u;
}

// i modulo size for |i| < 2^23.
CUTAWAY_INLINE I8 modulo(I8 i, I8 size, F8 size_float) {
  I8 rest = i - to_int(to_float(i) / size_float) * size;  // off by one size at most
  rest += size & (I8)(rest < 0);
  rest += size & (I8)(rest < 0);
  return rest - (size & (I8)(rest >= size));
}

// wrap_texel of wrap.h; texels of the border clear `inside`.
CUTAWAY_INLINE I8 wrapped(WideTexture::Axis axis, I8 i, I8 size, F8 size_float, I8& inside) {
  const I8 last = size - 1, zero{};
  switch (static_cast<arch::Wrap>(axis.wrap)) {
    case arch::Wrap::kRepeat:
      return axis.powers_of_two ? i & last : modulo(i, size, size_float);
    case arch::Wrap::kMirroredRepeat: {
      const I8 n = modulo(i, size + size, size_float + size_float) - size;
      return last - choose(n >= 0, n, -(1 + n));
    }
    case arch::Wrap::kClampToBorder:
      inside &= (I8)(i >= 0) & (I8)(i < size);
      return most(zero, least(i, last));
    case arch::Wrap::kMirrorClampToEdge:
      return least(choose(i >= 0, i, -(1 + i)), last);
    default:
      return most(zero, least(i, last));
  }
}

struct AxisTexels {
  I8 texel[2];
  I8 fraction;
};

// One coordinate of eight lanes. Lanes too far out, or NaN, clear `inside`.
CUTAWAY_INLINE AxisTexels axis(F8 coordinate, F8 scale, F8 size_float, I8 size, bool linear, bool nearest,
                               I8 is_linear, WideTexture::Axis wrap, I8& inside) {
  constexpr float kFar = 0x1p22f;
  F8 position = coordinate * scale;
  const I8 near = (I8)(position > -kFar) & (I8)(position < kFar);
  inside &= near;
  position = (F8)((I8)position & near);
  const I8 zero{};
  AxisTexels out{};
  if (nearest) {
    I8 whole = to_int(position);
    whole += (I8)(to_float(whole) > position);  // -1 where truncation went up
    out.texel[0] = out.texel[1] = wrapped(wrap, whole, size, size_float, inside);
    if (!linear) return out;
  }
  const F8 scaled = position * 256.0f;
  I8 whole = to_int(scaled);
  const I8 above = (I8)(to_float(whole) > scaled);
  whole += above;
  const F8 rest = scaled - to_float(whole);
  const I8 fixed = whole - (I8)(rest >= 0.5f) - 128;
  const I8 first = fixed >> 8;
  AxisTexels smooth;
  smooth.texel[0] = wrapped(wrap, first, size, size_float, inside);
  smooth.texel[1] = wrapped(wrap, first + 1, size, size_float, inside);
  smooth.fraction = fixed & 255;
  if (!nearest) return smooth;
  for (int i = 0; i < 2; i++) out.texel[i] = choose(is_linear, smooth.texel[i], out.texel[i]);
  out.fraction = choose(is_linear, smooth.fraction, zero);
  return out;
}

CUTAWAY_INLINE U8 column_offset(I8 x, bool tiled, uint32_t bytes) {
  const U8 u = (U8)x;
  if (!tiled) return u * bytes;
  return ((u >> 3) * 64 + (u & 3) + (u & 4) * 4) * bytes;
}
CUTAWAY_INLINE U8 row_offset(I8 y, bool tiled, U8 pitch, uint32_t bytes) {
  const U8 u = (U8)y;
  if (!tiled) return u * pitch;
  return (u >> 3) * pitch + ((u & 3) * 4 + (u & 4) * 8) * bytes;
}

struct Coordinates {
  F8 u, v;
};

// Two quads' places of a probe (probe_place of footprint.cpp).
CUTAWAY_INLINE Coordinates probe_place(const WidePlan& plan, int first_quad, uint32_t probe) {
  const int lane = 4 * first_quad, next = first_quad + 1;
  Coordinates place = {(F8)load8(reinterpret_cast<const uint32_t*>(plan.u) + lane),
                       (F8)load8(reinterpret_cast<const uint32_t*>(plan.v) + lane)};
  if (plan.most_probes == 1) return place;
  const auto along = [&](int quad) {
    return static_cast<float>(probe + 1) / static_cast<float>(plan.probes[quad] + 1) - 0.5f;
  };
  const F8 way = pair(along(first_quad), along(next));
  const I8 one = pair(plan.probes[first_quad] == 1 ? -1 : 0, plan.probes[next] == 1 ? -1 : 0);
  place.u = choose(one, place.u, place.u + way * pair(plan.du[first_quad], plan.du[next]));
  place.v = choose(one, place.v, place.v + way * pair(plan.dv[first_quad], plan.dv[next]));
  return place;
}

// Addresses of the texels in columns x and rows y of two quads.
CUTAWAY_INLINE void locate(const WideTexture& t, const AxisTexels& x, const AxisTexels& y, U8 base, U8 pitch,
                           bool linear, int lane, WideFootprint& out) {
  const int shift = t.block_format ? 2 : 0;
  U8 row[2], column[2];
  for (int i = 0; i < (linear ? 2 : 1); i++) {
    row[i] = base + row_offset(y.texel[i] >> shift, t.tiled, pitch, t.element_bytes);
    column[i] = column_offset(x.texel[i] >> shift, t.tiled, t.element_bytes);
  }
  for (int i = 0; i < (linear ? 4 : 1); i++) {
    store8(&out.offset[i][lane], row[i >> 1] + column[i & 1]);
    if (t.block_format)
      store8(&out.in_block[i][lane], (U8)((y.texel[i >> 1] & 3) * 4 + (x.texel[i & 1] & 3)));
  }
  if (!linear) return;
  store8(&out.fraction_u[lane], (U8)x.fraction);
  store8(&out.fraction_v[lane], (U8)y.fraction);
}

inline void footprint_wide(const WideTexture& t, uint32_t level, uint32_t probe, WidePlan& plan,
                           WideFootprint& out) {
  const bool linear = plan.texels == 4;
  bool nearest = false;
  for (uint32_t i = 0; i < kWideQuads; i++) nearest |= !plan.linear[i];
  const auto takes = [&](int quad) {
    return static_cast<int32_t>(probe) < plan.probes[quad] && (level == 0 || plan.fraction[quad]);
  };
  const auto at = [&](int quad) -> const WideTexture::Level& {
    return t.level[plan.level[quad] + (level && plan.fraction[quad])];
  };
  out.quads = 0;
  for (int quad = 0; quad < static_cast<int>(kWideQuads); quad += 2) {
    const bool first = takes(quad), second = takes(quad + 1);
    if (!first && !second) continue;
    out.quads |= (uint32_t{first} | uint32_t{second} << 4) << 4 * quad;
    const Coordinates place = probe_place(plan, quad, probe);
    const WideTexture::Level &a = at(quad), &b = at(quad + 1);
    const I8 is_linear = pair(plan.linear[quad] ? -1 : 0, plan.linear[quad + 1] ? -1 : 0);
    const F8 one = all(1), width = pair(a.width_float, b.width_float);
    const F8 height = pair(a.height_float, b.height_float);
    I8 inside = I8{} - 1;
    const AxisTexels x = axis(place.u, t.texel_units ? one : width, width, pair(a.width, b.width), linear,
                              nearest, is_linear, t.axis[0], inside);
    const AxisTexels y = axis(place.v, t.texel_units ? one : height, height, pair(a.height, b.height), linear,
                              nearest, is_linear, t.axis[1], inside);
    const U8 base = (U8)pair(static_cast<int32_t>(a.offset), static_cast<int32_t>(b.offset));
    const U8 pitch = (U8)pair(static_cast<int32_t>(a.pitch), static_cast<int32_t>(b.pitch));
    locate(t, x, y, base, pitch, linear, 4 * quad, out);
    const uint32_t taken = (first ? 15u : 0) | (second ? 15u << 4 : 0);
    plan.planned &= ~((~mask_of(inside) & taken) << 4 * quad);
  }
}

}  // namespace cutaway::func::CUTAWAY_ALU
