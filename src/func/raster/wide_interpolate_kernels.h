// Depths of whole groups. wide_interpolate_portable.cpp and its like define CUTAWAY_ALU,
// then include this. The formulas equal those of evaluate.h and interpolate.cpp, operation for
// operation.
#ifndef CUTAWAY_ALU
#error "wide_interpolate_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "arch/surface.h"
#include "func/raster/coverage.h"
#include "func/raster/wide_interpolate.h"
#include "func/shader/lanes.h"

namespace cutaway::func::CUTAWAY_ALU {

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

// Depths of a vector's lanes, if `ordinary` keeps all its lanes. Rounding keeps the order of a depth and its
// limits, which are floats.
CUTAWAY_INLINE void put_depths(const Primitive& primitive, Doubles first, Doubles second, float* z,
                               Ints& ordinary) {
  const Rounded depths = rounded(first, second);
  ordinary &= depths.ordinary;
  const Floats limited = least(most(depths.value, all(primitive.depth_min)), all(primitive.depth_max));
  store(reinterpret_cast<uint32_t*>(z), (Words)limited);
}
// The same for all lanes.
CUTAWAY_INLINE void put_any_depths(const Primitive& primitive, Doubles first, Doubles second, float* z) {
  const Doubles low = Doubles{} + static_cast<double>(primitive.depth_min);
  const Doubles high = Doubles{} + static_cast<double>(primitive.depth_max);
  const Floats depths =
      joined(near_floats(clamped(first, low, high)), near_floats(clamped(second, low, high)));
  store(reinterpret_cast<uint32_t*>(z), (Words)depths);
}

// Visits the depths of a tile's vectors, two halves each. Computes terms that depend only on the column or
// the row once for it.
template <class Put>
CUTAWAY_INLINE void each_tile_depth(const Primitive& primitive, int32_t x, int32_t y, Put&& put) {
#ifdef __AVX512F__
  constexpr HalfInts kColumn{0, 1, 2, 3, 0, 1, 2, 3}, kRow{0, 0, 0, 0, 1, 1, 1, 1};
#else
  constexpr HalfInts kColumn{0, 1, 2, 3}, kRow{};
#endif
  constexpr int kVectorRows = kDoubles / arch::kSectorSize, kSectorColumns = 4, kSectorRows = 4;
  // down(): to the rows below.
  const auto each_vector = [&](int column, auto&& depth, auto&& down) __attribute__((always_inline)) {
    for (int row = 0; row < kTilePixels; row += 2 * kVectorRows) {
      const int sector = row / kSectorRows * 2 + column / kSectorColumns;
      const Doubles first = depth(row);
      down();
      put(first, depth(row + kVectorRows), sector * 16 + row % kSectorRows * kSectorColumns);
      down();
    }
  };
  if (!primitive.whole_planes) {
    for (int column = 0; column < kTilePixels; column += kSectorColumns)
      each_vector(
          column,
          [&](int row) __attribute__((always_inline)) {
            return value_at(primitive.depth,
                            basis_at(primitive, to_centers(HalfInts{} + (x + column) + kColumn),
                                     to_centers(HalfInts{} + (y + row) + kRow)));
          },
          [] {});
    return;
  }
  const Doubles at_x = to_centers(HalfInts{} + x + kColumn), at_y = to_centers(HalfInts{} + y + kRow);
  const Plane &p = primitive.basis[0], &q = primitive.basis[1];
  const WideCombination depth(primitive.depth);
  const Doubles scale = Doubles{} + primitive.basis_scale;
  const Doubles p_down = Doubles{} + p.b * (kVectorRows * kSubpixels);
  const Doubles q_down = Doubles{} + q.b * (kVectorRows * kSubpixels);
  Doubles p_column = p.a * at_x + p.b * at_y + p.c, q_column = q.a * at_x + q.b * at_y + q.c;
  CUTAWAY_UNROLL for (int column = 0; column < kTilePixels; column += kSectorColumns) {
    Doubles p_at = p_column, q_at = q_column;
    each_vector(
        column,
        [&](int) __attribute__((always_inline)) {
          return depth.at({p_at * scale, q_at * scale});
        },
        [&]() __attribute__((always_inline)) { p_at += p_down, q_at += q_down; });
    p_column += p.a * (kSectorColumns * kSubpixels), q_column += q.a * (kSectorColumns * kSubpixels);
  }
}

[[gnu::noinline]] inline void any_tile_depth(const Primitive& primitive, int32_t x, int32_t y, float* z) {
  each_tile_depth(
      primitive, x, y, [&](Doubles first, Doubles second, int place) __attribute__((always_inline)) {
        put_any_depths(primitive, first, second, z + place);
      });
}

// Same as depth().
inline void tile_depth(const Primitive& primitive, int32_t x, int32_t y, float* z) {
  if (is_flat(primitive.depth, primitive)) {
    const Doubles depth = Doubles{} + primitive.depth.constant;
    for (int i = 0; i < 64; i += kVector) put_any_depths(primitive, depth, depth, z + i);
    return;
  }
  Ints ordinary = Ints{} - 1;
  each_tile_depth(
      primitive, x, y, [&](Doubles first, Doubles second, int place) __attribute__((always_inline)) {
        put_depths(primitive, first, second, z + place, ordinary);
      });
  if (mask_of(ordinary) != kAllLanes) [[unlikely]]
    any_tile_depth(primitive, x, y, z);
}

}  // namespace cutaway::func::CUTAWAY_ALU
