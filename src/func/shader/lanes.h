// Vectors of lanes for the kernels of whole groups: 16 with AVX-512, otherwise 8. Each translation includes
// this once, under the rules of alu_lanes.h; the portable translation splits the vectors.
#ifndef CUTAWAY_ALU
#error "lanes.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include <cstdint>
#include <immintrin.h>

#define CUTAWAY_INLINE [[gnu::always_inline]] inline
// A loop over a few vectors, so that they stay in registers.
#define CUTAWAY_UNROLL _Pragma("GCC unroll 4")

namespace cutaway::func::CUTAWAY_ALU {

#ifdef __AVX512F__
constexpr int kVector = 16;  // lanes
#else
constexpr int kVector = 8;
#endif
constexpr int kDoubles = kVector / 2;  // lanes of a vector of doubles
constexpr uint32_t kAllLanes = (1u << kVector) - 1;

typedef uint32_t Words __attribute__((vector_size(4 * kVector)));
typedef int32_t Ints __attribute__((vector_size(4 * kVector)));
typedef float Floats __attribute__((vector_size(4 * kVector)));
typedef uint32_t UnalignedWords __attribute__((vector_size(4 * kVector), aligned(4), may_alias));
typedef double Doubles __attribute__((vector_size(4 * kVector)));
typedef int64_t Longs __attribute__((vector_size(4 * kVector)));
typedef uint64_t LongWords __attribute__((vector_size(4 * kVector)));
// As many lanes as a vector of doubles has.
typedef float HalfFloats __attribute__((vector_size(4 * kDoubles)));
typedef int32_t HalfInts __attribute__((vector_size(4 * kDoubles)));
typedef float UnalignedHalfFloats __attribute__((vector_size(4 * kDoubles), aligned(4), may_alias));
typedef int32_t UnalignedHalfInts __attribute__((vector_size(4 * kDoubles), aligned(4), may_alias));

CUTAWAY_INLINE Words load(const uint32_t* words) {
  return (Words) * reinterpret_cast<const UnalignedWords*>(words);
}
CUTAWAY_INLINE void store(uint32_t* words, Words value) {
  *reinterpret_cast<UnalignedWords*>(words) = (UnalignedWords)value;
}
CUTAWAY_INLINE Ints to_int(Floats a) { return __builtin_convertvector(a, Ints); }
CUTAWAY_INLINE Floats to_float(Ints a) { return __builtin_convertvector(a, Floats); }
// Masks have lanes of all ones or zero.
CUTAWAY_INLINE Ints choose(Ints mask, Ints yes, Ints no) { return (yes & mask) | (no & ~mask); }
CUTAWAY_INLINE Floats choose(Ints mask, Floats yes, Floats no) {
  return (Floats)choose(mask, (Ints)yes, (Ints)no);
}
CUTAWAY_INLINE HalfInts choose(HalfInts mask, HalfInts yes, HalfInts no) {
  return (yes & mask) | (no & ~mask);
}
CUTAWAY_INLINE Doubles choose(Longs mask, Doubles yes, Doubles no) {
  return (Doubles)(((Longs)yes & mask) | ((Longs)no & ~mask));
}
CUTAWAY_INLINE Floats all(float value) { return Floats{} + value; }

// a < b ? a : b and a > b ? a : b, also for NaN and zeros of both signs.
#ifdef __AVX512F__
CUTAWAY_INLINE Ints least(Ints a, Ints b) { return (Ints)_mm512_min_epi32((__m512i)a, (__m512i)b); }
CUTAWAY_INLINE Ints most(Ints a, Ints b) { return (Ints)_mm512_max_epi32((__m512i)a, (__m512i)b); }
CUTAWAY_INLINE Floats least(Floats a, Floats b) { return (Floats)_mm512_min_ps((__m512)a, (__m512)b); }
CUTAWAY_INLINE Floats most(Floats a, Floats b) { return (Floats)_mm512_max_ps((__m512)a, (__m512)b); }
CUTAWAY_INLINE Doubles least(Doubles a, Doubles b) { return (Doubles)_mm512_min_pd((__m512d)a, (__m512d)b); }
CUTAWAY_INLINE Doubles most(Doubles a, Doubles b) { return (Doubles)_mm512_max_pd((__m512d)a, (__m512d)b); }
#elif defined(__AVX2__)
CUTAWAY_INLINE Ints least(Ints a, Ints b) { return (Ints)_mm256_min_epi32((__m256i)a, (__m256i)b); }
CUTAWAY_INLINE Ints most(Ints a, Ints b) { return (Ints)_mm256_max_epi32((__m256i)a, (__m256i)b); }
CUTAWAY_INLINE Floats least(Floats a, Floats b) { return (Floats)_mm256_min_ps((__m256)a, (__m256)b); }
CUTAWAY_INLINE Floats most(Floats a, Floats b) { return (Floats)_mm256_max_ps((__m256)a, (__m256)b); }
CUTAWAY_INLINE Doubles least(Doubles a, Doubles b) { return (Doubles)_mm256_min_pd((__m256d)a, (__m256d)b); }
CUTAWAY_INLINE Doubles most(Doubles a, Doubles b) { return (Doubles)_mm256_max_pd((__m256d)a, (__m256d)b); }
#else
CUTAWAY_INLINE Ints least(Ints a, Ints b) { return choose(a < b, a, b); }
CUTAWAY_INLINE Ints most(Ints a, Ints b) { return choose(a > b, a, b); }
CUTAWAY_INLINE Floats least(Floats a, Floats b) { return choose((Ints)(a < b), a, b); }
CUTAWAY_INLINE Floats most(Floats a, Floats b) { return choose((Ints)(a > b), a, b); }
CUTAWAY_INLINE Doubles least(Doubles a, Doubles b) { return choose((Longs)(a < b), a, b); }
CUTAWAY_INLINE Doubles most(Doubles a, Doubles b) { return choose((Longs)(a > b), a, b); }
#endif

// Clamps to [0, 1]; NaN gives 0.
CUTAWAY_INLINE Floats unit(Floats v) { return least(most(v, Floats{}), all(1)); }

#ifdef __FMA__
// a * b + c, rounded once.
CUTAWAY_INLINE Floats fused(Floats a, Floats b, Floats c) {
#ifdef __AVX512F__
  return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#else
  return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#endif
}
#endif

// a / divisor, for a divisor of at most 20 bits and quotients that neither overflow nor become denormal.
CUTAWAY_INLINE Floats quotient(Floats a, float divisor) {
#ifdef __FMA__
  // The reciprocal in two parts: the sum is within 2^-48 of the quotient before it is rounded, and no
  // quotient is as near to the middle of two floats, since that would take a divisor of more bits.
  const float inverse = 1 / divisor, rest = static_cast<float>(1 / static_cast<double>(divisor) - inverse);
  return fused(a, all(inverse), a * rest);
#else
  return a / divisor;
#endif
}

// The greatest integer not above a, for |a| < 2^31.
CUTAWAY_INLINE Ints floor_to_int(Floats a) {
#ifdef __AVX512F__
  return (Ints)_mm512_cvt_roundps_epi32((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#else
  const Ints whole = to_int(a);
  return whole + (Ints)(to_float(whole) > a);  // -1 if truncation rounded up
#endif
}

// The low 32 bits of every lane of two vectors.
CUTAWAY_INLINE Words low_words(LongWords a, LongWords b) {
#ifdef __AVX512F__
  return __builtin_shufflevector((Words)a, (Words)b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
#else
  return __builtin_shufflevector((Words)a, (Words)b, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}
// The odd words of two vectors; and the words of two vectors in turn, the first and the last of them.
CUTAWAY_INLINE Words odd_words(Words a, Words b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
#else
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
}
CUTAWAY_INLINE Words first_in_turn(Words a, Words b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
#else
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
#endif
}
CUTAWAY_INLINE Words last_in_turn(Words a, Words b) {
#ifdef __AVX512F__
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
}
template <class Half, class Vector>
CUTAWAY_INLINE Half low_half(Vector v) {
#ifdef __AVX512F__
  return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return __builtin_shufflevector(v, v, 0, 1, 2, 3);
#endif
}
template <class Half, class Vector>
CUTAWAY_INLINE Half high_half(Vector v) {
#ifdef __AVX512F__
  return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  return __builtin_shufflevector(v, v, 4, 5, 6, 7);
#endif
}

// GCC splits such conversions if they are written as vectors.
CUTAWAY_INLINE Doubles to_doubles(HalfInts a) {
#ifdef __AVX512F__
  return (Doubles)_mm512_cvtepi32_pd((__m256i)a);
#elif defined(__AVX2__)
  return (Doubles)_mm256_cvtepi32_pd((__m128i)a);
#else
  return __builtin_convertvector(a, Doubles);
#endif
}
CUTAWAY_INLINE Doubles to_doubles(HalfFloats a) {
#ifdef __AVX512F__
  return (Doubles)_mm512_cvtps_pd((__m256)a);
#elif defined(__AVX2__)
  return (Doubles)_mm256_cvtps_pd((__m128)a);
#else
  return __builtin_convertvector(a, Doubles);
#endif
}

// float_to_unorm for at most 24 bits, which multiplies in double: scale is the largest code.
CUTAWAY_INLINE Words to_unorm(Floats value, double scale) {
  constexpr double kMagic = 6755399441055744.0;
  const Floats clamped = unit(value);
  const HalfFloats low = low_half<HalfFloats>(clamped), high = high_half<HalfFloats>(clamped);
  return low_words((LongWords)(to_doubles(low) * scale + kMagic),
                   (LongWords)(to_doubles(high) * scale + kMagic));
}

// float_to_unorm for 8 bits.
CUTAWAY_INLINE Words to_unorm8(Floats value) {
#ifdef __FMA__
  constexpr float kMagic = 0x1.8p23f;  // the sum of the exact product and this rounds to an integer
  return (Words)fused(unit(value), all(255), all(kMagic)) & 255;
#else
  return to_unorm(value, 255.0);
#endif
}

// half_to_bits of numeric.h; the upper 16 bits of each lane must be zero.
CUTAWAY_INLINE Floats half_to_float(Words half) {
  const Words m = half & 0x7fff;
  const Ints small = (Ints)(m < 0x400), special = (Ints)(m >= 0x7c00);
  Words value = (m << 13) + (112u << 23);
  value = (Words)choose(small, (Ints)(to_float((Ints)m) * 0x1p-24f), (Ints)value);
  const Words quiet = (Words)((Ints)(m > 0x7c00) & 0x400000) | 0x7f800000;
  return (Floats)((Words)choose(special, (Ints)quiet, (Ints)value) | (half & 0x8000) << 16);
}

// bits_to_half of numeric.h.
CUTAWAY_INLINE Words float_to_half(Floats value) {
  const Words bits = (Words)value, m = bits & 0x7fffffff;
  // Adding 1/2 leaves multiples of 2^-24, the unit of small halves, in the low bits.
  const Words small = (Words)((Floats)m + 0.5f) - 0x3f000000;
  Words half = ((m + 0xfff + (m >> 13 & 1)) >> 13) - (112u << 10);
  half = (Words)choose((Ints)(m < 0x38800000), (Ints)small, (Ints)half);
  const Words special = (Words)((Ints)(m > 0x7f800000) & 0x200) | 0x7c00;
  half = (Words)choose((Ints)(m >= 0x477ff000), (Ints)special, (Ints)half);
  return half | (bits >> 16 & 0x8000);
}

// One bit per active lane.
CUTAWAY_INLINE uint32_t mask_of(Ints on) {
#ifdef __AVX512F__
  return _mm512_movepi32_mask((__m512i)on);
#elif defined(__AVX__)
  return static_cast<uint32_t>(_mm256_movemask_ps((__m256)on));
#else
  const HalfInts low = low_half<HalfInts>(on), high = high_half<HalfInts>(on);
  return static_cast<uint32_t>(_mm_movemask_ps((__m128)low) | _mm_movemask_ps((__m128)high) << 4);
#endif
}
CUTAWAY_INLINE uint32_t mask_of(HalfInts on) {
#ifdef __AVX512F__
  return _mm256_movepi32_mask((__m256i)on);
#else
  return static_cast<uint32_t>(_mm_movemask_ps((__m128)on));
#endif
}

CUTAWAY_INLINE uint32_t mask_of(Longs on) {
#ifdef __AVX512F__
  return _mm512_movepi64_mask((__m512i)on);
#elif defined(__AVX2__)
  return static_cast<uint32_t>(_mm256_movemask_pd((__m256d)on));
#else
  return mask_of(__builtin_convertvector(on, HalfInts));
#endif
}

// The constant that the low three bits of each lane number.
#ifdef __AVX512F__
template <int... constant>
CUTAWAY_INLINE Words of_eight(Words number) {
  return (Words)_mm512_permutexvar_epi32((__m512i)number, (__m512i)Words{constant..., constant...});
}
#elif defined(__AVX2__)
template <int... constant>
CUTAWAY_INLINE Words of_eight(Words number) {
  return (Words)_mm256_permutevar8x32_epi32((__m256i)Words{constant...}, (__m256i)number);
}
#endif

// The lanes whose bits are set in a mask of kVector bits.
CUTAWAY_INLINE Ints lanes_of(uint32_t mask) {
#ifdef __AVX512F__
  return (Ints)_mm512_movm_epi32(static_cast<__mmask16>(mask));
#else
  const Words bit{1, 2, 4, 8, 16, 32, 64, 128};
  return (Ints)((bit & mask) != 0);
#endif
}

}  // namespace cutaway::func::CUTAWAY_ALU
