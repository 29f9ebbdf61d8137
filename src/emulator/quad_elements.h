#pragma once

#include <cstddef>
#include <cstdint>
#include <emmintrin.h>

// The four elements of four bytes of a quad: two of a row, and two of the next one, `row` bytes behind.
namespace cutaway::emulator {

inline __m128i load_quad(const std::byte* from, size_t row) {
  const __m128i upper = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return _mm_unpacklo_epi64(upper, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + row)));
}
inline void store_quad(__m128i elements, std::byte* to, size_t row) {
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), elements);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to + row), _mm_unpackhi_epi64(elements, elements));
}

// The elements of `from` in the lanes of a mask, else those of `other`.
inline __m128i chosen(uint32_t lanes, __m128i from, __m128i other) {
  const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
  const __m128i on = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(lanes)), bit), bit);
  return _mm_or_si128(_mm_and_si128(on, from), _mm_andnot_si128(on, other));
}

}  // namespace cutaway::emulator
