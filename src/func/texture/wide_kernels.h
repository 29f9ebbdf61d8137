// Sampling of whole groups: included by wide_portable.cpp and wide_avx2.cpp after defining CUTAWAY_ALU, under
// the rules of shader/alu_lanes.h. Vectors of eight lanes, which the portable translation splits.
#ifndef CUTAWAY_ALU
#error "wide_kernels.h belongs to a translation that defines CUTAWAY_ALU"
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

struct QuadLevels {
  int32_t level[8], fraction[8];
  bool linear[8];
};

// Level of detail of the eight quads: gradients at lane 0, bias, limits, choice of levels.
CUTAWAY_INLINE void choose_levels(const WideTexture& t, const float* u, const float* v, QuadLevels& out) {
  if (!t.needs_lod) {
    for (int i = 0; i < 8; i++) out.level[i] = out.fraction[i] = 0, out.linear[i] = t.linear[0];
    return;
  }
  for (int half = 0; half < 2; half++) {
    D4 dudx, dudy, dvdx, dvdy;
    for (int i = 0; i < 4; i++) {
      const int lane = 16 * half + 4 * i;
      dudx[i] = u[lane + 1] - u[lane], dudy[i] = u[lane + 2] - u[lane];
      dvdx[i] = v[lane + 1] - v[lane], dvdy[i] = v[lane + 2] - v[lane];
    }
    const double width = t.level[0].width_float, height = t.level[0].height_float;
    dudx *= width, dudy *= width, dvdx *= height, dvdy *= height;
    const D4 x = dudx * dudx + dvdx * dvdx, y = dudy * dudy + dvdy * dvdy;
    D4 lod = 0.5 * log2_lod(choose((J4)(x > y), x, y)) + t.lod_bias;
    const D4 highest = D4{} + t.max_lod, lowest = D4{} + t.min_lod, zero{};
    lod = choose((J4)(lod > highest), highest, lod);
    lod = choose((J4)(lod >= lowest), lod, lowest);
    lod = choose((J4)(lod == lod), lod, zero);
    const double last = static_cast<double>(t.levels - 1);
    D4 level = choose((J4)(lod < last), lod, D4{} + last);
    level = choose((J4)(lod > 0), level, zero);
    for (int i = 0; i < 4; i++) {
      const int quad = 4 * half + i;
      out.linear[quad] = t.linear[lod[i] > 0];
      out.level[quad] = out.fraction[quad] = 0;
      if (t.mip_nearest) {  // ceil(level + 1/2) - 1
        const double up = level[i] + 0.5;
        const auto whole = static_cast<int32_t>(up);
        out.level[quad] = whole - (static_cast<double>(whole) == up);
      } else if (t.mip_linear) {  // to the nearest 1/256, ties to even
        constexpr double kMagic = 6755399441055744.0;
        const double shifted = level[i] * 256 + kMagic;
        const auto fixed = static_cast<int32_t>(__builtin_bit_cast(uint64_t, shifted));
        out.level[quad] = fixed >> 8;
        out.fraction[quad] = fixed & 255;
      }
    }
  }
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
CUTAWAY_INLINE AxisTexels axis(F8 coordinate, F8 size_float, I8 size, bool linear, bool nearest, I8 is_linear,
                               WideTexture::Axis wrap, I8& inside) {
  constexpr float kFar = 0x1p22f;
  F8 position = coordinate * size_float;
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

// One sample of the lanes of two quads.
CUTAWAY_INLINE void plan_sample(const WideTexture& t, F8 u, F8 v, const QuadLevels& levels, int first_quad,
                                bool linear, bool nearest, uint32_t sample, WidePlan& plan, I8& inside) {
  const int32_t up = static_cast<int32_t>(sample);
  const auto at = [&](int quad) -> const WideTexture::Level& {
    return t.level[levels.level[quad] + (levels.fraction[quad] ? up : 0)];
  };
  const WideTexture::Level &a = at(first_quad), &b = at(first_quad + 1);
  const I8 is_linear = pair(levels.linear[first_quad] ? -1 : 0, levels.linear[first_quad + 1] ? -1 : 0);
  const AxisTexels x = axis(u, pair(a.width_float, b.width_float), pair(a.width, b.width), linear, nearest,
                            is_linear, t.axis[0], inside);
  const AxisTexels y = axis(v, pair(a.height_float, b.height_float), pair(a.height, b.height), linear,
                            nearest, is_linear, t.axis[1], inside);
  const U8 base = (U8)pair(static_cast<int32_t>(a.offset), static_cast<int32_t>(b.offset));
  const U8 pitch = (U8)pair(static_cast<int32_t>(a.pitch), static_cast<int32_t>(b.pitch));
  const int lane = 4 * first_quad;
  const U8 row0 = base + row_offset(y.texel[0], t.tiled, pitch, t.texel_bytes);
  const U8 column0 = column_offset(x.texel[0], t.tiled, t.texel_bytes);
  store8(&plan.offset[sample][0][lane], row0 + column0);
  if (!linear) return;
  const U8 row1 = base + row_offset(y.texel[1], t.tiled, pitch, t.texel_bytes);
  const U8 column1 = column_offset(x.texel[1], t.tiled, t.texel_bytes);
  store8(&plan.offset[sample][1][lane], row0 + column1);
  store8(&plan.offset[sample][2][lane], row1 + column0);
  store8(&plan.offset[sample][3][lane], row1 + column1);
  store8(&plan.fraction_u[sample][lane], (U8)x.fraction);
  store8(&plan.fraction_v[sample][lane], (U8)y.fraction);
}

inline void plan_wide(const WideTexture& t, const uint32_t* u_bits, const uint32_t* v_bits,
                      const uint32_t* q_bits, WidePlan& plan) {
  alignas(64) float u[kWideLanes], v[kWideLanes];
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    F8 at_u = (F8)load8(u_bits + lane), at_v = (F8)load8(v_bits + lane);
    if (t.projective) {
      const F8 q = (F8)load8(q_bits + lane);
      at_u /= q, at_v /= q;
    }
    store8(reinterpret_cast<uint32_t*>(u) + lane, (U8)at_u);
    store8(reinterpret_cast<uint32_t*>(v) + lane, (U8)at_v);
  }
  QuadLevels levels;
  choose_levels(t, u, v, levels);
  bool linear = false, nearest = false, second = false;
  for (int i = 0; i < 8; i++) {
    linear |= levels.linear[i], nearest |= !levels.linear[i];
    second |= levels.fraction[i] != 0;
  }
  plan.samples = second ? 2 : 1;
  plan.texels = linear ? 4 : 1;
  plan.planned = 0;
  for (int quad = 0; quad < 8; quad += 2) {
    const int lane = 4 * quad;
    const F8 at_u = (F8)load8(reinterpret_cast<const uint32_t*>(u) + lane);
    const F8 at_v = (F8)load8(reinterpret_cast<const uint32_t*>(v) + lane);
    I8 inside = I8{} - 1;
    for (uint32_t sample = 0; sample < plan.samples; sample++)
      plan_sample(t, at_u, at_v, levels, quad, linear, nearest, sample, plan, inside);
    store8(plan.level_weight + lane, (U8)pair(levels.fraction[quad], levels.fraction[quad + 1]));
    plan.planned |= mask_of(inside) << lane;
  }
}

// Swizzled components to their places.
CUTAWAY_INLINE void put(const WideTexture& t, const F8 value[4], uint32_t lane,
                        uint32_t result[4][kWideLanes]) {
  for (uint32_t c = 0; c < 4; c++) {
    const uint32_t select = t.swizzle >> (4 * c) & 15;
    const U8 constant = U8{} + (select == 5 ? 0x3f800000u : 0u);
    store8(&result[c][lane], select < 4 ? (U8)value[select] : constant);
  }
}

// a + weight (b - a), a where the weight is zero.
CUTAWAY_INLINE F8 lerp(F8 a, F8 b, F8 weight) {
  return choose((I8)(weight != 0.0f), a + weight * (b - a), a);
}

inline void filter_wide_unorm8(const WideTexture& t, const WidePlan& plan,
                               const uint32_t texel[2][4][kWideLanes], uint32_t result[4][kWideLanes]) {
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    F8 value[4];
    for (uint32_t sample = 0; sample < plan.samples; sample++) {
      F8 now[4];
      if (plan.texels == 1) {
        const U8 word = load8(&texel[sample][0][lane]);
        for (uint32_t c = 0; c < 4; c++) now[c] = to_float((I8)(word >> (8 * c) & 255)) / 255.0f;
      } else {
        // The weighted sum is an integer of at most 24 bits, exact in a float; the division rounds once.
        const U8 fu = load8(&plan.fraction_u[sample][lane]), fv = load8(&plan.fraction_v[sample][lane]);
        const U8 fu2 = fu | fu << 16, gu2 = (256 - fu) | (256 - fu) << 16;
        const F8 low = to_float((I8)fv), high = to_float((I8)(256 - fv));
        typedef uint16_t H16 __attribute__((vector_size(32)));
        U8 row[2][2];  // [row][odd]: two channels in halves of 16 bits, weighted along the row
        for (int r = 0; r < 2; r++) {
          const U8 first = load8(&texel[sample][2 * r][lane]),
                   second = load8(&texel[sample][2 * r + 1][lane]);
          for (int odd = 0; odd < 2; odd++) {
            const H16 a = (H16)(first >> (8 * odd) & 0x00ff00ff), b = (H16)(second >> (8 * odd) & 0x00ff00ff);
            row[r][odd] = (U8)(a * (H16)gu2 + b * (H16)fu2);
          }
        }
        for (uint32_t c = 0; c < 4; c++) {
          const F8 upper = to_float((I8)(c & 2 ? row[0][c & 1] >> 16 : row[0][c & 1] & 0xffff));
          const F8 lower = to_float((I8)(c & 2 ? row[1][c & 1] >> 16 : row[1][c & 1] & 0xffff));
          now[c] = (upper * high + lower * low) / (255.0f * 65536);
        }
      }
      if (sample == 0) {
        for (uint32_t c = 0; c < 4; c++) value[c] = now[c];
      } else {
        const F8 weight = to_float((I8)load8(plan.level_weight + lane)) / 256.0f;
        for (uint32_t c = 0; c < 4; c++) value[c] = lerp(value[c], now[c], weight);
      }
    }
    if (t.bgra) {
      const F8 swapped = value[0];
      value[0] = value[2], value[2] = swapped;
    }
    put(t, value, lane, result);
  }
}

inline void filter_wide(const WideTexture& t, const WidePlan& plan, const uint32_t texel[2][4][4][kWideLanes],
                        uint32_t result[4][kWideLanes]) {
  for (uint32_t lane = 0; lane < kWideLanes; lane += 8) {
    F8 value[4];
    for (uint32_t sample = 0; sample < plan.samples; sample++) {
      const F8 weight = to_float((I8)load8(plan.level_weight + lane)) / 256.0f;
      F8 wu{}, wv{};
      if (plan.texels == 4) {
        wu = to_float((I8)load8(&plan.fraction_u[sample][lane])) / 256.0f;
        wv = to_float((I8)load8(&plan.fraction_v[sample][lane])) / 256.0f;
      }
      for (uint32_t c = 0; c < 4; c++) {
        const auto at = [&](uint32_t i) { return (F8)load8(&texel[sample][i][c][lane]); };
        F8 now = at(0);
        if (plan.texels == 4) now = lerp(lerp(now, at(1), wu), lerp(at(2), at(3), wu), wv);
        value[c] = sample == 0 ? now : lerp(value[c], now, weight);
      }
    }
    put(t, value, lane, result);
  }
}

constexpr WideFunctions kWideFunctions = {plan_wide, filter_wide_unorm8, filter_wide};

}  // namespace cutaway::func::CUTAWAY_ALU
