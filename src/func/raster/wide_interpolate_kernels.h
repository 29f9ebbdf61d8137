// Interpolation of whole groups. wide_interpolate_portable.cpp and wide_interpolate_avx2.cpp define
// CUTAWAY_ALU, then include this. The formulas equal those of evaluate.h and interpolate.cpp, operation for
// operation.
#ifndef CUTAWAY_ALU
#error "wide_interpolate_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/raster/wide_interpolate.h"
#include "func/shader/lanes8.h"

namespace cutaway::func::CUTAWAY_ALU {

typedef float F4 __attribute__((vector_size(16)));
typedef int32_t I4 __attribute__((vector_size(16)));
typedef float UnalignedF4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t UnalignedI4 __attribute__((vector_size(16), aligned(4), may_alias));

// The basis functions of four pixels.
struct Basis {
  D4 g1, g2;
};

CUTAWAY_INLINE D4 position(const int32_t* pixel) {
  const I4 whole = (I4) * reinterpret_cast<const UnalignedI4*>(pixel);
  return __builtin_convertvector(whole, D4) * kSubpixels + kPixelCenter;
}
CUTAWAY_INLINE Basis basis_at(const Primitive& primitive, const int32_t* x, const int32_t* y) {
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  const D4 at_x = position(x), at_y = position(y);
  return {(p.a * at_x + p.b * at_y + p.c) * primitive.basis_scale,
          (q.a * at_x + q.b * at_y + q.c) * primitive.basis_scale};
}
CUTAWAY_INLINE D4 value_at(const Combination& f, const Basis& g) {
  return (f.constant + g.g1 * f.k1) + g.g2 * f.k2;
}
CUTAWAY_INLINE D4 clamped(D4 value, D4 low, D4 high) {
  value = choose((J4)(value > low), value, low);
  return choose((J4)(value < high), value, high);
}
CUTAWAY_INLINE void put_floats(D4 value, float* out) {
  constexpr double kLargest = 0x1.fffffep127;
  const D4 magnitude = (D4)((J4)value & 0x7fffffffffffffff);
  value = choose((J4)(magnitude >= 0x1p-126), value, D4{});
  value = clamped(value, D4{} - kLargest, D4{} + kLargest);
  *reinterpret_cast<UnalignedF4*>(out) = (UnalignedF4) __builtin_convertvector(value, F4);
}

inline void depth(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t lanes, float* z) {
  const D4 low = D4{} + static_cast<double>(primitive.depth_min);
  const D4 high = D4{} + static_cast<double>(primitive.depth_max);
  for (uint32_t i = 0; i < lanes; i += 4)
    put_floats(clamped(value_at(primitive.depth, basis_at(primitive, x + i, y + i)), low, high), z + i);
}

// True if f equals its constant everywhere, to the bit except for the sign of zero: the basis functions are
// finite, and zero times them adds nothing.
CUTAWAY_INLINE bool is_flat(const Combination& f, const Primitive& primitive) {
  if (f.k1 != 0 || f.k2 != 0) return false;
  constexpr double kFarthest = 1 << 24;  // units
  for (const Plane& p : primitive.basis) {
    const double most = (p.a * kFarthest + p.b * kFarthest + p.c) * primitive.basis_scale;
    if (!(most - most == 0)) return false;
  }
  return true;
}

// Same as depth(), but computes terms that depend only on the column or the row once for it.
inline void tile_depth(const Primitive& primitive, int32_t x, int32_t y, float* z) {
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  const D4 low = D4{} + static_cast<double>(primitive.depth_min);
  const D4 high = D4{} + static_cast<double>(primitive.depth_max);
  if (is_flat(primitive.depth, primitive)) {
    put_floats(clamped(D4{} + primitive.depth.constant, low, high), z);
    const I4 same = (I4) * reinterpret_cast<const UnalignedI4*>(z);
    for (int i = 4; i < 64; i += 4) *reinterpret_cast<UnalignedI4*>(z + i) = (UnalignedI4)same;
    return;
  }
  for (int sector = 0; sector < 4; sector++) {
    const int32_t column = x + (sector & 1) * 4, row = y + (sector >> 1) * 4;
    const int32_t columns[4] = {column, column + 1, column + 2, column + 3};
    const D4 at_x = position(columns), p_x = p.a * at_x, q_x = q.a * at_x;
    for (int i = 0; i < 4; i++, z += 4) {
      const double at_y = static_cast<double>(row + i) * kSubpixels + kPixelCenter;
      const Basis basis = {(p_x + p.b * at_y + p.c) * primitive.basis_scale,
                           (q_x + q.b * at_y + q.c) * primitive.basis_scale};
      put_floats(clamped(value_at(primitive.depth, basis), low, high), z);
    }
  }
}

inline void barycentrics(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t lanes,
                         WantedWeights wanted, Barycentrics<32>& out) {
  for (uint32_t i = 0; i < lanes; i += 4) {
    const Basis basis = basis_at(primitive, x + i, y + i);
    const D4 inv_w = value_at(primitive.inv_w, basis);
    const D4 w = choose((J4)(inv_w != 0.0), 1.0 / inv_w, D4{});
    if (wanted.inv_w) put_floats(inv_w, out.inv_w + i);
    put_floats(value_at(primitive.q1, basis) * w, out.p1 + i);
    put_floats(value_at(primitive.q2, basis) * w, out.p2 + i);
    if (!wanted.linear) continue;
    put_floats(value_at(primitive.linear1, basis), out.l1 + i);
    put_floats(value_at(primitive.linear2, basis), out.l2 + i);
  }
}

inline void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<32>& weights,
                        uint32_t lanes, const uint32_t value[3], uint32_t* out) {
  if (mode == arch::Interpolation::kFlat || vertices < 2) {
    for (uint32_t i = 0; i < lanes; i++) out[i] = value[0];
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const float *w1 = linear ? weights.l1 : weights.p1, *w2 = linear ? weights.l2 : weights.p2;
  const float start = __builtin_bit_cast(float, value[0]);
  const float along1 = __builtin_bit_cast(float, value[1]) - start;
  const float along2 = vertices > 2 ? __builtin_bit_cast(float, value[2]) - start : 0.0f;
  for (uint32_t i = 0; i < lanes; i += 4) {
    const F4 first = (F4) * reinterpret_cast<const UnalignedF4*>(w1 + i);
    const F4 second = (F4) * reinterpret_cast<const UnalignedF4*>(w2 + i);
    const F4 sum = (start + first * along1) + second * along2;
    const I4 number = (I4)(sum == sum);
    const I4 result = ((I4)sum & number) | (~number & 0x7fc00000);
    *reinterpret_cast<UnalignedI4*>(out + i) = (UnalignedI4)result;
  }
}

constexpr WideInterpolation kWideInterpolation = {depth, tile_depth, barycentrics, interpolate};

}  // namespace cutaway::func::CUTAWAY_ALU
