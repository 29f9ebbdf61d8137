// Interpolation of whole groups. wide_interpolate_portable.cpp and its like define CUTAWAY_ALU,
// then include this. The formulas equal those of evaluate.h and interpolate.cpp, operation for
// operation.
#ifndef CUTAWAY_ALU
#error "wide_interpolate_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include <cstddef>

#include "arch/surface.h"
#include "func/raster/coverage.h"
#include "func/raster/wide_interpolate.h"
#include "func/shader/lanes.h"

namespace cutaway::func::CUTAWAY_ALU {

typedef double UnalignedDoubles __attribute__((vector_size(8 * kDoubles), aligned(8), may_alias));

// The basis functions of as many pixels as a vector of doubles holds.
struct Basis {
  Doubles g1, g2;
};

// Pixel centres in units. kQuads quads make up a vector: their left columns or upper rows, and the distance
// of each lane from those.
constexpr int kQuads = kDoubles / 4;
CUTAWAY_INLINE Doubles to_centers(HalfInts pixels) { return to_doubles(pixels * kSubpixels + kPixelCenter); }
CUTAWAY_INLINE Doubles centers(int32_t first, int32_t last, HalfInts distance) {
#ifdef __AVX512F__
  return to_centers(HalfInts{first, first, first, first, last, last, last, last} + distance);
#else
  (void)last;
  return to_centers(HalfInts{} + first + distance);
#endif
}
#ifdef __AVX512F__
constexpr HalfInts kColumns{0, 1, 0, 1, 0, 1, 0, 1}, kRows{0, 0, 1, 1, 0, 0, 1, 1};
#else
constexpr HalfInts kColumns{0, 1, 0, 1}, kRows{0, 0, 1, 1};
#endif

// Some quads of a list: those of one vector, or the last of an odd number.
struct SomeQuads {
  Basis basis;
  bool full;
};
CUTAWAY_INLINE Basis basis_at(const Primitive& primitive, Doubles at_x, Doubles at_y) {
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  return {(p.a * at_x + p.b * at_y + p.c) * primitive.basis_scale,
          (q.a * at_x + q.b * at_y + q.c) * primitive.basis_scale};
}
CUTAWAY_INLINE SomeQuads quads_at(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t i,
                                  uint32_t quads) {
  const bool full = i + kQuads <= quads;
  const uint32_t last = full ? i + kQuads - 1 : i;
  return {basis_at(primitive, centers(x[i], x[last], kColumns), centers(y[i], y[last], kRows)), full};
}

// ---- Planes of whole numbers ----

// True if the basis planes are edge functions, as those of snapped triangles: whole numbers so small that
// sums of their terms are exact, in any order.
CUTAWAY_INLINE bool has_whole_planes(const Primitive& primitive) {
  constexpr double kMagic = 0x1.8p52, kSlope = 0x1p26, kConstant = 0x1p50;
  constexpr double kMost[8] = {kSlope, kSlope, kConstant, kSlope, kSlope, kConstant};
  constexpr uint32_t kTerms = (1 << 6) - 1;
  static_assert(offsetof(Primitive, depth) - offsetof(Primitive, basis) == 7 * sizeof(double));
  const auto* const term =
      reinterpret_cast<const double*>(primitive.basis);  // a, b and c of both planes, and two more numbers
  uint32_t whole = 0;
  for (int i = 0; i < 8; i += kDoubles) {
    const Doubles value = *reinterpret_cast<const UnalignedDoubles*>(term + i);
    const Doubles most = *reinterpret_cast<const UnalignedDoubles*>(kMost + i);
    const Doubles magnitude = (Doubles)((Longs)value & 0x7fffffffffffffff);
    whole |= mask_of((Longs)((value + kMagic) - kMagic == value) & (Longs)(magnitude <= most)) << i;
  }
  return (whole & kTerms) == kTerms;
}

// The first of some numbers, and zeros in place of those after the last.
CUTAWAY_INLINE HalfInts load_some(const int32_t* from, uint32_t count) {
#ifdef __AVX512F__
  return (HalfInts)_mm256_maskz_loadu_epi32(static_cast<__mmask8>((1u << count) - 1), from);
#else
  HalfInts out{};
  for (uint32_t i = 0; i < (uint32_t)kDoubles && i < count; i++) out[i] = from[i];
  return out;
#endif
}

// A plane at the pixels of a list of at most 8 quads: what quads have at their first pixels, and what is
// added to that in the lanes of a vector.
class WholePlane {
 public:
  CUTAWAY_INLINE WholePlane(const Plane& p, const int32_t* x, const int32_t* y, uint32_t quads)
      : to_lanes_(p.a * to_doubles(kColumns * kSubpixels) + p.b * to_doubles(kRows * kSubpixels)) {
    for (uint32_t i = 0; i < quads; i += kDoubles)
      first_[i / kDoubles] =
          p.a * to_centers(load_some(x + i, quads - i)) + p.b * to_centers(load_some(y + i, quads - i)) + p.c;
  }
  // Returns the values at kQuads quads.
  CUTAWAY_INLINE Doubles at(uint32_t quad) const {
#ifdef __AVX512F__
    const Longs number = Longs{0, 0, 0, 0, 1, 1, 1, 1} + static_cast<int64_t>(quad);
    return (Doubles)_mm512_permutexvar_pd((__m512i)number, (__m512d)first_[0]) + to_lanes_;
#else
    return first_[quad / kDoubles][quad % kDoubles] + to_lanes_;
#endif
  }

 private:
  Doubles first_[8 / kDoubles], to_lanes_;
};

// ---- Values ----

CUTAWAY_INLINE Doubles value_at(const Combination& f, const Basis& g) {
  return (f.constant + g.g1 * f.k1) + g.g2 * f.k2;
}
// The same for many vectors: its terms stay in registers, whatever is stored meanwhile.
struct WideCombination {
  Doubles constant, k1, k2;
  CUTAWAY_INLINE explicit WideCombination(const Combination& f)
      : constant(Doubles{} + f.constant), k1(Doubles{} + f.k1), k2(Doubles{} + f.k2) {}
  CUTAWAY_INLINE Doubles at(const Basis& g) const { return (constant + g.g1 * k1) + g.g2 * k2; }
};
CUTAWAY_INLINE Doubles clamped(Doubles value, Doubles low, Doubles high) {
  return least(most(value, low), high);
}
// Converts values within the range of floats.
CUTAWAY_INLINE HalfFloats near_floats(Doubles value) {
  const Doubles magnitude = (Doubles)((Longs)value & 0x7fffffffffffffff);
  return __builtin_convertvector(choose((Longs)(magnitude >= 0x1p-126), value, Doubles{}), HalfFloats);
}
CUTAWAY_INLINE HalfFloats to_floats(Doubles value) {
  constexpr double kLargest = 0x1.fffffep127;
  return near_floats(clamped(value, Doubles{} - kLargest, Doubles{} + kLargest));
}
CUTAWAY_INLINE Floats joined(HalfFloats a, HalfFloats b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}
// The lanes of two vectors of doubles.
CUTAWAY_INLINE Floats to_floats(Doubles low, Doubles high) { return joined(to_floats(low), to_floats(high)); }

// The lanes of two vectors of doubles, rounded. Lanes whose result to_floats() may change are not `ordinary`:
// neither zero, nor near the smallest float or beyond the largest.
struct Rounded {
  Floats value;
  Ints ordinary;
};
CUTAWAY_INLINE Rounded rounded(Doubles low, Doubles high) {
  constexpr uint32_t kSmallest = 0x00800000, kInfinite = 0x7f800000;
  const Floats value =
      joined(__builtin_convertvector(low, HalfFloats), __builtin_convertvector(high, HalfFloats));
  const Words magnitude = (Words)value & 0x7fffffff;
  return {value, (Ints)(magnitude - (kSmallest + 1) < kInfinite - (kSmallest + 1))};
}

// Depths. full: otherwise only the first quad.
CUTAWAY_INLINE void put_floats(Doubles value, bool full, float* out) {
  const HalfFloats floats = near_floats(value);
  if (kQuads == 1 || full) {
    *reinterpret_cast<UnalignedHalfFloats*>(out) = (UnalignedHalfFloats)floats;
    return;
  }
  for (int i = 0; i < 4; i++) out[i] = floats[i];
}

inline void depth(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t quads, float* z) {
  const Doubles low = Doubles{} + static_cast<double>(primitive.depth_min);
  const Doubles high = Doubles{} + static_cast<double>(primitive.depth_max);
  for (uint32_t i = 0; i < quads; i += kQuads) {
    const SomeQuads some = quads_at(primitive, x, y, i, quads);
    put_floats(clamped(value_at(primitive.depth, some.basis), low, high), some.full, z + 4 * i);
  }
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

// Depths of a vector's lanes. Rounding keeps the order of a depth and its limits, which are floats.
CUTAWAY_INLINE void put_depths(const Primitive& primitive, Doubles first, Doubles second, float* z) {
  const Rounded depths = rounded(first, second);
  Floats clamped_depths = least(most(depths.value, all(primitive.depth_min)), all(primitive.depth_max));
  if (mask_of(depths.ordinary) != kAllLanes) [[unlikely]] {
    const Doubles low = Doubles{} + static_cast<double>(primitive.depth_min);
    const Doubles high = Doubles{} + static_cast<double>(primitive.depth_max);
    clamped_depths = joined(near_floats(clamped(first, low, high)), near_floats(clamped(second, low, high)));
  }
  store(reinterpret_cast<uint32_t*>(z), (Words)clamped_depths);
}

// Same as depth(), but computes terms that depend only on the column or the row once for it.
inline void tile_depth(const Primitive& primitive, int32_t x, int32_t y, float* z) {
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  const auto put = [&](Doubles first, Doubles second) __attribute__((always_inline)) {
    put_depths(primitive, first, second, z);
    z += kVector;
  };
  if (is_flat(primitive.depth, primitive)) {
    const Doubles depth = Doubles{} + primitive.depth.constant;
    for (int i = 0; i < 64; i += kVector) put(depth, depth);
    return;
  }
#ifdef __AVX512F__
  constexpr HalfInts kColumn{0, 1, 2, 3, 0, 1, 2, 3}, kRow{0, 0, 0, 0, 1, 1, 1, 1};
#else
  constexpr HalfInts kColumn{0, 1, 2, 3}, kRow{};
#endif
  constexpr int kVectorRows = kDoubles / arch::kSectorSize;
  const auto each_vector = [&](auto&& depth_at) __attribute__((always_inline)) {
    for (int sector = 0; sector < 4; sector++)
      for (int i = 0; i < 4; i += 2 * kVectorRows) {
        const int column = (sector & 1) * 4, row = (sector >> 1) * 4 + i;
        put(depth_at(column, row), depth_at(column, row + kVectorRows));
      }
  };
  const auto start = [&](const Plane& plane) __attribute__((always_inline)) {
    return plane.a * to_centers(HalfInts{} + x + kColumn) + plane.b * to_centers(HalfInts{} + y + kRow) +
           plane.c;
  };
  if (has_whole_planes(primitive)) {
    const WideCombination depth(primitive.depth);
    const Doubles scale = Doubles{} + primitive.basis_scale, p_start = start(p), q_start = start(q);
    const double p_right = p.a * (4 * kSubpixels), p_down = p.b * kSubpixels;
    const double q_right = q.a * (4 * kSubpixels), q_down = q.b * kSubpixels;
    return each_vector([&](int column, int row) __attribute__((always_inline)) {
      const double right = column / 4, down = row;
      return depth.at({(p_start + (p_right * right + p_down * down)) * scale,
                       (q_start + (q_right * right + q_down * down)) * scale});
    });
  }
  each_vector([&](int column, int row) __attribute__((always_inline)) {
    return value_at(primitive.depth, basis_at(primitive, to_centers(HalfInts{} + (x + column) + kColumn),
                                              to_centers(HalfInts{} + (y + row) + kRow)));
  });
}

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
  for (uint32_t i = 0; i < quads; i += 2 * kQuads) {
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
  if (!has_whole_planes(primitive))
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
  if (!has_whole_planes(primitive)) {
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
  const Doubles p_first = p.a * column + p.b * row + p.c, q_first = q.a * column + q.b * row + q.c;
  const Doubles scale = Doubles{} + primitive.basis_scale;
  put_weights(
      primitive, kHalfQuads, wanted,
      [&](uint32_t i) __attribute__((always_inline)) {
        const double right = quad_x(i) * kSubpixels, down = quad_y(i) * kSubpixels;
        return Basis{(p_first + (p.a * right + p.b * down)) * scale,
                     (q_first + (q.a * right + q.b * down)) * scale};
      },
      out);
}

CUTAWAY_INLINE void interpolate_one(arch::Interpolation mode, uint32_t vertices,
                                    const Barycentrics<32>& weights, uint32_t quads, const uint32_t value[3],
                                    uint32_t* out) {
  const uint32_t lanes = 4 * quads;
  if (mode == arch::Interpolation::kFlat || vertices < 2) {
    for (uint32_t i = 0; i < lanes; i += kVector) store_some(out + i, Words{} + value[0], lanes - i);
    return;
  }
  const bool linear = mode == arch::Interpolation::kLinear;
  const float *w1 = linear ? weights.l1 : weights.p1, *w2 = linear ? weights.l2 : weights.p2;
  const float start = __builtin_bit_cast(float, value[0]);
  const float along1 = __builtin_bit_cast(float, value[1]) - start;
  const float along2 = vertices > 2 ? __builtin_bit_cast(float, value[2]) - start : 0.0f;
  // Where the vertices agree the sum is what they have: except for denormals and -0, which become 0.
  const bool kept = value[0] == 0 || (value[0] & 0x7f800000) != 0;
  if (along1 == 0 && along2 == 0 && kept) {
    for (uint32_t i = 0; i < lanes; i += kVector) store_some(out + i, Words{} + value[0], lanes - i);
    return;
  }
  for (uint32_t i = 0; i < lanes; i += kVector) {
    const Floats first = (Floats)load(reinterpret_cast<const uint32_t*>(w1 + i));
    const Floats second = (Floats)load(reinterpret_cast<const uint32_t*>(w2 + i));
    const Floats sum = (start + first * along1) + second * along2;
    const Ints number = (Ints)(sum == sum);
    store_some(out + i, (Words)choose(number, (Ints)sum, Ints{} + 0x7fc00000), lanes - i);
  }
}

inline void interpolate(const WideComponent* components, uint32_t count, uint32_t vertices,
                        const Barycentrics<32>& weights, uint32_t quads, const uint32_t* values,
                        uint32_t lane) {
  for (uint32_t i = 0; i < count; i++)
    interpolate_one(components[i].mode, vertices, weights, quads, values + 3 * i, components[i].out + lane);
}

constexpr WideInterpolation kWideInterpolation = {depth, tile_depth, barycentrics, half_barycentrics,
                                                  interpolate};

}  // namespace cutaway::func::CUTAWAY_ALU
