// Halves and floats of a vector's lanes: included after shader/lanes.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "half_lanes.h belongs to a translation that defines CUTAWAY_ALU"
#endif

namespace cutaway::func::CUTAWAY_ALU {

#ifdef __F16C__
CUTAWAY_INLINE Floats converted(Words half) {
#ifdef __AVX512F__
  return (Floats)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)half));
#else
  const __m256i packed = _mm256_packus_epi32((__m256i)half, (__m256i)half);
  return (Floats)_mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
#endif
}
CUTAWAY_INLINE Words converted(Floats value) {
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
#ifdef __AVX512F__
  return (Words)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)value, kNearest));
#else
  return (Words)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)value, kNearest));
#endif
}
#endif

// half_to_bits of numeric.h; the upper 16 bits of each lane must be zero.
CUTAWAY_INLINE Floats halves_to_floats(Words half) {
#ifdef __F16C__
  // The instruction keeps the payload of a NaN.
  const Words quiet = (half & 0x8000) << 16 | 0x7fc00000;
  // clang compares halves one by one where the converted values are compared.
  return choose((Ints)((half & 0x7fff) > 0x7c00), (Floats)quiet, converted(half));
#else
  return half_to_float(half);
#endif
}

// bits_to_half of numeric.h.
CUTAWAY_INLINE Words floats_to_halves(Floats value) {
#ifdef __F16C__
  const Words quiet = ((Words)value >> 16 & 0x8000) | 0x7e00;
  return (Words)choose((Ints)(value == value), (Ints)converted(value), (Ints)quiet);
#else
  return float_to_half(value);
#endif
}

}  // namespace cutaway::func::CUTAWAY_ALU
