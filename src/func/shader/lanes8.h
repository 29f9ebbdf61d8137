// Vectors of eight lanes for the kernels of whole groups. Each translation includes this once, under the
// rules of alu_lanes.h; the portable translation splits the vectors.
#ifndef CUTAWAY_ALU
#error "lanes8.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include <cstdint>
#include <immintrin.h>

#define CUTAWAY_INLINE [[gnu::always_inline]] inline

namespace cutaway::func::CUTAWAY_ALU {

typedef uint32_t U8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef float F8 __attribute__((vector_size(32)));
typedef uint32_t UnalignedU8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef double D4 __attribute__((vector_size(32)));
typedef int64_t J4 __attribute__((vector_size(32)));
typedef uint64_t V4 __attribute__((vector_size(32)));

CUTAWAY_INLINE U8 load8(const uint32_t* words) { return (U8) * reinterpret_cast<const UnalignedU8*>(words); }
CUTAWAY_INLINE void store8(uint32_t* words, U8 value) {
  *reinterpret_cast<UnalignedU8*>(words) = (UnalignedU8)value;
}
CUTAWAY_INLINE I8 to_int(F8 a) { return __builtin_convertvector(a, I8); }
CUTAWAY_INLINE F8 to_float(I8 a) { return __builtin_convertvector(a, F8); }
CUTAWAY_INLINE I8 choose(I8 mask, I8 yes, I8 no) { return (yes & mask) | (no & ~mask); }
CUTAWAY_INLINE F8 choose(I8 mask, F8 yes, F8 no) { return (F8)choose(mask, (I8)yes, (I8)no); }
CUTAWAY_INLINE D4 choose(J4 mask, D4 yes, D4 no) { return (D4)(((J4)yes & mask) | ((J4)no & ~mask)); }
CUTAWAY_INLINE I8 least(I8 a, I8 b) { return choose(a < b, a, b); }
CUTAWAY_INLINE I8 most(I8 a, I8 b) { return choose(a > b, a, b); }
CUTAWAY_INLINE F8 all(float value) { return F8{} + value; }

// Clamps to [0, 1]; NaN gives 0.
CUTAWAY_INLINE F8 unit(F8 v) { return choose((I8)(v > 0.0f), choose((I8)(v < 1.0f), v, all(1)), F8{}); }

// float_to_unorm for at most 24 bits, which multiplies in double: scale is the largest code.
CUTAWAY_INLINE U8 to_unorm(F8 value, double scale) {
  typedef float F4 __attribute__((vector_size(16)));
  constexpr double kMagic = 6755399441055744.0;
  const F8 clamped = unit(value);
  const F4 low = __builtin_shufflevector(clamped, clamped, 0, 1, 2, 3);
  const F4 high = __builtin_shufflevector(clamped, clamped, 4, 5, 6, 7);
  const V4 a = (V4)(__builtin_convertvector(low, D4) * scale + kMagic);
  const V4 b = (V4)(__builtin_convertvector(high, D4) * scale + kMagic);
  return __builtin_shufflevector((U8)a, (U8)b, 0, 2, 4, 6, 8, 10, 12, 14);
}

// half_to_bits of numeric.h; the upper 16 bits of each lane must be zero.
CUTAWAY_INLINE F8 half_to_float(U8 half) {
  const U8 m = half & 0x7fff;
  const I8 small = (I8)(m < 0x400), special = (I8)(m >= 0x7c00);
  U8 value = (m << 13) + (112u << 23);
  value = (U8)choose(small, (I8)(to_float((I8)m) * 0x1p-24f), (I8)value);
  const U8 quiet = (U8)((I8)(m > 0x7c00) & 0x400000) | 0x7f800000;
  return (F8)((U8)choose(special, (I8)quiet, (I8)value) | (half & 0x8000) << 16);
}

// bits_to_half of numeric.h.
CUTAWAY_INLINE U8 float_to_half(F8 value) {
  const U8 bits = (U8)value, m = bits & 0x7fffffff;
  // Adding 1/2 leaves multiples of 2^-24, the unit of small halves, in the low bits.
  const U8 small = (U8)((F8)m + 0.5f) - 0x3f000000;
  U8 half = ((m + 0xfff + (m >> 13 & 1)) >> 13) - (112u << 10);
  half = (U8)choose((I8)(m < 0x38800000), (I8)small, (I8)half);
  const U8 special = (U8)((I8)(m > 0x7f800000) & 0x200) | 0x7c00;
  half = (U8)choose((I8)(m >= 0x477ff000), (I8)special, (I8)half);
  return half | (bits >> 16 & 0x8000);
}

// One bit per active lane.
CUTAWAY_INLINE uint32_t mask_of(I8 on) {
#ifdef __AVX__
  return static_cast<uint32_t>(_mm256_movemask_ps((__m256)on));
#else
  typedef int32_t I4 __attribute__((vector_size(16)));
  const I4 low = __builtin_shufflevector(on, on, 0, 1, 2, 3),
           high = __builtin_shufflevector(on, on, 4, 5, 6, 7);
  return static_cast<uint32_t>(_mm_movemask_ps((__m128)low) | _mm_movemask_ps((__m128)high) << 4);
#endif
}

}  // namespace cutaway::func::CUTAWAY_ALU
