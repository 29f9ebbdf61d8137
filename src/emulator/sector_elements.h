#pragma once

#include <cstddef>
#include <cstdint>
#include <emmintrin.h>

// The 16 elements of four bytes of a tile's sector: row after row in memory, quad after quad in a group.
namespace cutaway::emulator {

// Rows of a sector, or its quads.
struct SectorElements {
  __m128i part[4];
};

inline SectorElements load_sector(const void* from) {
  const auto* const at = static_cast<const __m128i*>(from);
  return {{_mm_loadu_si128(at), _mm_loadu_si128(at + 1), _mm_loadu_si128(at + 2), _mm_loadu_si128(at + 3)}};
}
inline void store_sector(const SectorElements& elements, void* to) {
  for (int i = 0; i < 4; i++) _mm_storeu_si128(static_cast<__m128i*>(to) + i, elements.part[i]);
}

// Rows to quads, and quads to rows.
inline SectorElements turned(const SectorElements& from) {
  const __m128i* const part = from.part;
  return {{_mm_unpacklo_epi64(part[0], part[1]), _mm_unpackhi_epi64(part[0], part[1]),
           _mm_unpacklo_epi64(part[2], part[3]), _mm_unpackhi_epi64(part[2], part[3])}};
}

// A quad: two elements of a row, and two of the next one, `row` bytes behind.
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
// Quads: those of `from` in the lanes of a mask, else those of `other`.
inline SectorElements chosen(uint32_t lanes, const SectorElements& from, const SectorElements& other) {
  SectorElements out;
  for (int i = 0; i < 4; i++) out.part[i] = chosen(lanes >> 4 * i, from.part[i], other.part[i]);
  return out;
}

}  // namespace cutaway::emulator
