#pragma once

#include <cstdint>
#include <cstring>
#include <emmintrin.h>

// The lanes of a quad, or the components of a texel, as vectors of the base instruction set.
namespace cutaway::func {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = int32_t __attribute__((vector_size(16)));
using Word4 = uint32_t __attribute__((vector_size(16)));

inline Float4 load4(const uint32_t words[4]) {
  Float4 values;
  std::memcpy(&values, words, sizeof values);
  return values;
}
inline void store4(uint32_t words[4], Float4 values) { std::memcpy(words, &values, sizeof values); }
inline Int4 to_int(Float4 values) { return (Int4)_mm_cvttps_epi32((__m128)values); }
inline Float4 to_float(Int4 values) { return (Float4)_mm_cvtepi32_ps((__m128i)values); }
// The lanes of a mask are all ones or zero.
inline bool all_of(Int4 mask) { return _mm_movemask_ps((__m128)mask) == 15; }
inline Int4 choose(Int4 mask, Int4 yes, Int4 no) { return (yes & mask) | (no & ~mask); }

// Lane i of vector k becomes lane k of vector i.
inline void transpose(Float4 v[4]) {
  _MM_TRANSPOSE4_PS(*reinterpret_cast<__m128*>(&v[0]), *reinterpret_cast<__m128*>(&v[1]),
                    *reinterpret_cast<__m128*>(&v[2]), *reinterpret_cast<__m128*>(&v[3]));
}

}  // namespace cutaway::func
