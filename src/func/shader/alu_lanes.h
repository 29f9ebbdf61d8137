// Vector types for alu_kernels.h. Each translation (alu_portable.cpp, alu_avx2.cpp, alu_avx512.cpp) includes
// this once after defining CUTAWAY_ALU, the namespace of the translation. Everything here is compiled for its
// instruction set, so the linker must not share anything between translations. For the same reason, values
// are never passed to inline functions or templates from elsewhere.
#ifndef CUTAWAY_ALU
#error "alu_lanes.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include <cstdint>
#include <immintrin.h>

#define CUTAWAY_INLINE [[gnu::always_inline]] inline

namespace cutaway::func::CUTAWAY_ALU {

// W lanes of 32 bits as unsigned and signed integers and as floats. One hardware register each.
template <int W>
struct Lanes;

template <>
struct Lanes<4> {
  typedef uint32_t U __attribute__((vector_size(16)));
  typedef int32_t I __attribute__((vector_size(16)));
  typedef float F __attribute__((vector_size(16)));
  typedef uint32_t Unaligned __attribute__((vector_size(16), aligned(4), may_alias));
};

template <>
struct Lanes<8> {
  typedef uint32_t U __attribute__((vector_size(32)));
  typedef int32_t I __attribute__((vector_size(32)));
  typedef float F __attribute__((vector_size(32)));
  typedef uint32_t Unaligned __attribute__((vector_size(32), aligned(4), may_alias));
};

#ifdef __AVX512F__
template <>
struct Lanes<16> {
  typedef uint32_t U __attribute__((vector_size(64)));
  typedef int32_t I __attribute__((vector_size(64)));
  typedef float F __attribute__((vector_size(64)));
  typedef uint32_t Unaligned __attribute__((vector_size(64), aligned(4), may_alias));
};
#endif

template <int W>
using U = typename Lanes<W>::U;
template <int W>
using I = typename Lanes<W>::I;
template <int W>
using F = typename Lanes<W>::F;

constexpr uint32_t kSign = 0x80000000, kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
constexpr uint32_t kNan = 0x7fc00000;  // the canonical NaN
constexpr uint32_t kOne = 0x3f800000;

// The vector with `bits` in every lane.
template <int W>
CUTAWAY_INLINE U<W> all(uint32_t bits) {
  return U<W>{} + bits;
}
template <int W>
CUTAWAY_INLINE F<W> all(float value) {
  return (F<W>)all<W>(__builtin_bit_cast(uint32_t, value));
}

template <int W>
CUTAWAY_INLINE U<W> load(const uint32_t* words) {
  return (U<W>)*reinterpret_cast<const typename Lanes<W>::Unaligned*>(words);
}
template <int W>
CUTAWAY_INLINE void store(uint32_t* words, U<W> value) {
  *reinterpret_cast<typename Lanes<W>::Unaligned*>(words) = (typename Lanes<W>::Unaligned)value;
}

// mask lanes must be all ones or zero.
template <int W>
CUTAWAY_INLINE U<W> select(U<W> mask, U<W> yes, U<W> no) {
  return (yes & mask) | (no & ~mask);
}

template <int W>
CUTAWAY_INLINE U<W> is_nan(F<W> a) {
  return (U<W>)(a != a);
}

template <int W>
CUTAWAY_INLINE U<W> canonical(F<W> a) {
  return select<W>(is_nan<W>(a), all<W>(kNan), (U<W>)a);
}

// Flushes denormals to zero, for results that arithmetic has not flushed.
template <int W>
CUTAWAY_INLINE U<W> flushed(U<W> bits) {
  const U<W> denormal = (U<W>)((bits & kInfinity) == 0);
  return bits & ~(denormal & kMagnitude);
}

CUTAWAY_INLINE F<4> square_root(F<4> a) { return (F<4>)_mm_sqrt_ps((__m128)a); }
CUTAWAY_INLINE I<4> to_int(F<4> a) { return (I<4>)_mm_cvttps_epi32((__m128)a); }
CUTAWAY_INLINE F<4> to_float(I<4> a) { return (F<4>)_mm_cvtepi32_ps((__m128i)a); }
#ifdef __AVX2__
CUTAWAY_INLINE F<8> square_root(F<8> a) { return (F<8>)_mm256_sqrt_ps((__m256)a); }
CUTAWAY_INLINE I<8> to_int(F<8> a) { return (I<8>)_mm256_cvttps_epi32((__m256)a); }
CUTAWAY_INLINE F<8> to_float(I<8> a) { return (F<8>)_mm256_cvtepi32_ps((__m256i)a); }
#endif

#ifdef __AVX512F__
CUTAWAY_INLINE F<16> square_root(F<16> a) { return (F<16>)_mm512_sqrt_ps((__m512)a); }
CUTAWAY_INLINE I<16> to_int(F<16> a) { return (I<16>)_mm512_cvttps_epi32((__m512)a); }
CUTAWAY_INLINE F<16> to_float(I<16> a) { return (F<16>)_mm512_cvtepi32_ps((__m512i)a); }
#endif

// Rearranges the lanes of each quad: lane 4k + n receives lane 4k + `n-th argument`.
template <int a, int b, int c, int d>
CUTAWAY_INLINE F<4> in_quads(F<4> v) {
  return __builtin_shufflevector(v, v, a, b, c, d);
}
template <int a, int b, int c, int d>
CUTAWAY_INLINE F<8> in_quads(F<8> v) {
  return __builtin_shufflevector(v, v, a, b, c, d, a + 4, b + 4, c + 4, d + 4);
}
#ifdef __AVX512F__
template <int a, int b, int c, int d>
CUTAWAY_INLINE F<16> in_quads(F<16> v) {
  return __builtin_shufflevector(v, v, a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8,
                                 a + 12, b + 12, c + 12, d + 12);
}
#endif

}  // namespace cutaway::func::CUTAWAY_ALU
