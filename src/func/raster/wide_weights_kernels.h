// Barycentrics and attributes of whole groups: included after wide_interpolate_kernels.h, under the same
// rules.
#ifndef CUTAWAY_ALU
#error "wide_weights_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/raster/wide_interpolate.h"

namespace cutaway::func::CUTAWAY_ALU {

// Stores the first `lanes` lanes, a multiple of 4.
CUTAWAY_INLINE void store_some(uint32_t* to, Words value, uint32_t lanes) {
  if (lanes >= (uint32_t)kVector) return store(to, value);
#ifdef __AVX512F__
  _mm512_mask_storeu_epi32(to, static_cast<__mmask16>((1u << lanes) - 1), (__m512i)value);
#else
  for (uint32_t i = 0; i < 4; i++) to[i] = value[i];
#endif
}

// Two vectors of quads at a time: their divisions overlap. basis_of(i): the basis functions of quads from
// quad i on.
template <class BasisOf>
CUTAWAY_INLINE void put_weights(const Primitive& primitive, uint32_t quads, WantedWeights wanted,
                                BasisOf&& basis_of, Barycentrics<32>& out) {
  const WideCombination inv_w(primitive.inv_w), q1(primitive.q1), q2(primitive.q2);
  CUTAWAY_UNROLL for (uint32_t i = 0; i < quads; i += 2 * kQuads) {
    const uint32_t second = i + kQuads < quads ? i + kQuads : i;
    const Basis low = basis_of(i), high = basis_of(second);
    const auto put_lanes = [&](Floats lanes, float* to) __attribute__((always_inline)) {
      store_some(reinterpret_cast<uint32_t*>(to + 4 * i), (Words)lanes, 4 * (quads - i));
    };
    const auto put = [&](Doubles of_low, Doubles of_high, float* to) __attribute__((always_inline)) {
      put_lanes(to_floats(of_low, of_high), to);
    };
    const Doubles inv_low = inv_w.at(low), inv_high = inv_w.at(high);
    if (wanted.inv_w) put(inv_low, inv_high, out.inv_w);
    const Doubles q1_low = q1.at(low), q1_high = q1.at(high), q2_low = q2.at(low), q2_high = q2.at(high);
    const Doubles w_low = 1.0 / inv_low, w_high = 1.0 / inv_high;
    const Rounded p1 = rounded(q1_low * w_low, q1_high * w_high);
    const Rounded p2 = rounded(q2_low * w_low, q2_high * w_high);
    if (mask_of(p1.ordinary & p2.ordinary) == kAllLanes) [[likely]] {
      put_lanes(p1.value, out.p1), put_lanes(p2.value, out.p2);
    } else {  // a division by zero gives zero
      const Doubles low_w = choose((Longs)(inv_low != 0.0), w_low, Doubles{});
      const Doubles high_w = choose((Longs)(inv_high != 0.0), w_high, Doubles{});
      put(q1_low * low_w, q1_high * high_w, out.p1);
      put(q2_low * low_w, q2_high * high_w, out.p2);
    }
    if (!wanted.linear) continue;
    put(value_at(primitive.linear1, low), value_at(primitive.linear1, high), out.l1);
    put(value_at(primitive.linear2, low), value_at(primitive.linear2, high), out.l2);
  }
}

inline void barycentrics(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t quads,
                         WantedWeights wanted, Barycentrics<32>& out) {
  if (!primitive.whole_planes)
    return put_weights(
        primitive, quads, wanted,
        [&](uint32_t i) __attribute__((always_inline)) { return quads_at(primitive, x, y, i, quads).basis; },
        out);
  const WholePlane p(primitive.basis[0], x, y, quads), q(primitive.basis[1], x, y, quads);
  put_weights(
      primitive, quads, wanted,
      [&](uint32_t i) __attribute__((always_inline)) {
        return Basis{p.at(i) * primitive.basis_scale, q.at(i) * primitive.basis_scale};
      },
      out);
}

// Half a tile, whose quads lie at fixed distances from the first one.
inline void half_barycentrics(const Primitive& primitive, int32_t x, int32_t y, WantedWeights wanted,
                              Barycentrics<32>& out) {
  constexpr uint32_t kHalfQuads = kTileQuads / 2;
  if (!primitive.whole_planes) {
    int32_t at_x[kHalfQuads], at_y[kHalfQuads];
    for (uint32_t i = 0; i < kHalfQuads; i++) at_x[i] = x + quad_x(i), at_y[i] = y + quad_y(i);
    return barycentrics(primitive, at_x, at_y, kHalfQuads, wanted, out);
  }
#ifdef __AVX512F__
  constexpr HalfInts kFirst{0, 1, 0, 1, 2, 3, 2, 3};  // columns of quads 0 and 1
#else
  constexpr HalfInts kFirst = kColumns;
#endif
  const Doubles column = to_centers(HalfInts{} + x + kFirst), row = to_centers(HalfInts{} + y + kRows);
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  const Doubles scale = Doubles{} + primitive.basis_scale;
  // A plane at the first quads; and from quad to quad: see quad_x() and quad_y().
  struct Part {
    Doubles first, across, down, right;
    CUTAWAY_INLINE Part(const Plane& plane, Doubles at_x, Doubles at_y)
        : first(plane.a * at_x + plane.b * at_y + plane.c),
          across(Doubles{} + plane.a * (2 * kSubpixels)),
          down(Doubles{} + plane.b * (2 * kSubpixels)),
          right(Doubles{} + plane.a * (4 * kSubpixels)) {}
    CUTAWAY_INLINE Doubles at(uint32_t quad) const {
      Doubles sum = first;
      if (quad & 1) sum += across;
      if (quad & 2) sum += down;
      if (quad & 4) sum += right;
      return sum;
    }
  };
  const Part p_part(p, column, row), q_part(q, column, row);
  put_weights(
      primitive, kHalfQuads, wanted,
      [&](uint32_t i) __attribute__((always_inline)) {
        return Basis{p_part.at(i) * scale, q_part.at(i) * scale};
      },
      out);
}

// A component at the first vertex, and its differences from there to the others.
struct Slopes {
  bool constant;
  float start = 0, along1 = 0, along2 = 0;

  CUTAWAY_INLINE Slopes(arch::Interpolation mode, uint32_t vertices, const uint32_t value[3])
      : constant(mode == arch::Interpolation::kFlat || vertices < 2) {
    if (constant) return;
    start = __builtin_bit_cast(float, value[0]);
    along1 = __builtin_bit_cast(float, value[1]) - start;
    along2 = vertices > 2 ? __builtin_bit_cast(float, value[2]) - start : 0.0f;
    // Where the vertices agree the sum is what they have: except for denormals and -0, which become 0.
    const bool kept = value[0] == 0 || (value[0] & 0x7f800000) != 0;
    constant = along1 == 0 && along2 == 0 && kept;
  }
};

CUTAWAY_INLINE Floats interpolated(float start, float along1, float along2, const float* w1,
                                   const float* w2) {
  const Floats first = (Floats)load(reinterpret_cast<const uint32_t*>(w1));
  const Floats second = (Floats)load(reinterpret_cast<const uint32_t*>(w2));
  const Floats sum = (start + first * along1) + second * along2;
  return sum == sum ? sum : (Floats)(Ints{} + 0x7fc00000);
}

CUTAWAY_INLINE void interpolate_one(arch::Interpolation mode, uint32_t vertices,
                                    const Barycentrics<32>& weights, uint32_t quads, const uint32_t value[3],
                                    uint32_t* out) {
  const uint32_t lanes = 4 * quads;
  const Slopes slopes(mode, vertices, value);
  if (slopes.constant) {
    for (uint32_t i = 0; i < lanes; i += kVector) store_some(out + i, Words{} + value[0], lanes - i);
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const float *w1 = linear ? weights.l1 : weights.p1, *w2 = linear ? weights.l2 : weights.p2;
  for (uint32_t i = 0; i < lanes; i += kVector)
    store_some(out + i, (Words)interpolated(slopes.start, slopes.along1, slopes.along2, w1 + i, w2 + i),
               lanes - i);
}

inline void interpolate(const WideComponent* components, uint32_t count, uint32_t vertices,
                        const Barycentrics<32>& weights, uint32_t quads, const uint32_t* values,
                        uint32_t lane) {
  for (uint32_t i = 0; i < count; i++)
    interpolate_one(components[i].mode, vertices, weights, quads, values + 3 * i, components[i].out + lane);
}

inline uint32_t prepare(const WideComponent* components, uint32_t count, uint32_t vertices,
                        const uint32_t* values, WideVarying* varying) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++, values += 3) {
    const Slopes slopes(components[i].mode, vertices, values);
    if (!slopes.constant) {
      const bool linear = components[i].mode == arch::Interpolation::kLinear;
      varying[found++] = {components[i].out, slopes.start, slopes.along1, slopes.along2, linear};
      continue;
    }
    for (int lane = 0; lane < 32; lane += kVector) store(components[i].out + lane, Words{} + values[0]);
  }
  return found;
}

inline void interpolate_all(const WideVarying* varying, uint32_t count, const Barycentrics<32>& weights) {
  for (uint32_t i = 0; i < count; i++) {
    const WideVarying& v = varying[i];
    const float *w1 = v.linear ? weights.l1 : weights.p1, *w2 = v.linear ? weights.l2 : weights.p2;
    CUTAWAY_UNROLL for (int lane = 0; lane < 32; lane += kVector)
        store(v.out + lane, (Words)interpolated(v.start, v.along1, v.along2, w1 + lane, w2 + lane));
  }
}

constexpr WideInterpolation kWideInterpolation = {depth,       tile_depth, barycentrics,   half_barycentrics,
                                                  interpolate, prepare,    interpolate_all};

}  // namespace cutaway::func::CUTAWAY_ALU
