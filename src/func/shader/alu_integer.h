// Integer and bit operations and conversions. Included after alu_lanes.h, under the same rules.

namespace cutaway::func::CUTAWAY_ALU {

// An operation on one lane's bits, if there is no vector instruction for it.
template <int W, class Function>
CUTAWAY_INLINE U<W> by_lane(U<W> a, U<W> b, Function function) {
  U<W> r;
  for (int n = 0; n < W; ++n) r[n] = function(a[n], b[n]);
  return r;
}

// a / b, all ones if b is 0. The quotient of doubles is exact enough: if a / b is no integer, it is further
// than 2^-32 of itself from the next one.
template <int W>
CUTAWAY_INLINE U<W> quotient(U<W> a, U<W> b) {
#ifdef __AVX512F__
  if constexpr (W == 16) {
    const auto half = [](__m256i m, __m256i n) __attribute__((always_inline)) {
      return _mm512_cvttpd_epu32(_mm512_div_pd(_mm512_cvtepu32_pd(m), _mm512_cvtepu32_pd(n)));
    };
    const __m512i m = (__m512i)a, n = (__m512i)b;
    const __m256i low = half(_mm512_castsi512_si256(m), _mm512_castsi512_si256(n));
    const __m256i high = half(_mm512_extracti64x4_epi64(m, 1), _mm512_extracti64x4_epi64(n, 1));
    return (U<W>)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
#endif
  return by_lane<W>(a, b, [](uint32_t m, uint32_t n) { return n == 0 ? ~0u : m / n; });
}

template <int W>
CUTAWAY_INLINE U<W> population(U<W> v) {
  v -= v >> 1 & 0x55555555;
  v = (v & 0x33333333) + (v >> 2 & 0x33333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f;
  v += v >> 8;
  return (v + (v >> 16)) & 63;
}

template <int W>
CUTAWAY_INLINE U<W> reversed(U<W> v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
  return v >> 16 | v << 16;
}

// Index of the highest one bit, -1 for 0.
template <int W>
CUTAWAY_INLINE U<W> highest(U<W> v) {
  v |= v >> 1;
  v |= v >> 2;
  v |= v >> 4;
  v |= v >> 8;
  v |= v >> 16;
  return population<W>(v) - 1;
}

// Bits [offset, offset + count) of a, at most 32; count 0 gives 0. Bits beyond 31 read as 0 (unsigned) or as
// bit 31 (signed).
template <int W>
CUTAWAY_INLINE U<W> extract_unsigned(U<W> a, U<W> offset, U<W> count) {
  const U<W> field = select<W>((U<W>)(offset > 31), U<W>{}, a >> (offset & 31));
  return select<W>((U<W>)(count > 31), field, field & (((U<W>{} + 1) << (count & 31)) - 1));
}
template <int W>
CUTAWAY_INLINE U<W> extract_signed(U<W> a, U<W> offset, U<W> count) {
  const U<W> shift = select<W>((U<W>)(offset > 31), all<W>(31u), offset);
  const U<W> field = (U<W>)((I<W>)a >> (I<W>)shift);
  const U<W> unused = (U<W>{} + 32 - count) & 31;
  const U<W> extended = (U<W>)((I<W>)(field << unused) >> (I<W>)unused);
  return select<W>((U<W>)(count > 31), field, select<W>((U<W>)(count == 0), U<W>{}, extended));
}

template <int W>
CUTAWAY_INLINE U<W> float_to_signed(F<W> a) {
  const U<W> inside = (U<W>)((a < 0x1p31f) & (a >= -0x1p31f));
  const U<W> beyond = select<W>((U<W>)(a > 0.0f), all<W>(0x7fffffffu), all<W>(kSign));
  const U<W> converted = (U<W>)to_int((F<W>)((U<W>)a & inside));
  return select<W>(inside, converted, beyond & ~is_nan<W>(a));
}

template <int W>
CUTAWAY_INLINE U<W> float_to_unsigned(F<W> a) {
  const U<W> small = (U<W>)((a > 0.0f) & (a < 0x1p31f)), middle = (U<W>)((a >= 0x1p31f) & (a < 0x1p32f));
  const U<W> low = (U<W>)to_int((F<W>)((U<W>)a & small));
  const U<W> high = (U<W>)to_int((F<W>)((U<W>)(a - 0x1p31f) & middle)) ^ (middle & kSign);
  return low | high | (U<W>)(a >= 0x1p32f);
}

// Both halves convert exactly, so only the sum rounds.
template <int W>
CUTAWAY_INLINE F<W> unsigned_to_float(U<W> a) {
  return to_float((I<W>)(a >> 16)) * 65536.0f + to_float((I<W>)(a & 0xffff));
}

// Converts to an IEEE half, rounded to nearest even; small results become half denormals.
template <int W>
CUTAWAY_INLINE U<W> float_to_half(U<W> bits) {
  const U<W> a = bits & kMagnitude;
  // Adding 1/2 leaves multiples of 2^-24, the unit of half denormals, in the low bits.
  const U<W> denormal = (U<W>)((F<W>)a + 0.5f) - 0x3f000000;
  const U<W> normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
  U<W> half = select<W>((U<W>)((I<W>)a < 0x38800000), denormal, normal);
  half = select<W>((U<W>)((I<W>)a >= 0x477ff000), all<W>(0x7c00u), half) | (bits >> 16 & 0x8000);
  return select<W>((U<W>)((I<W>)a > (int32_t)kInfinity), all<W>(0x7e00u), half);
}

template <int W>
CUTAWAY_INLINE U<W> half_to_float(U<W> half) {
  const U<W> m = half & 0x7fff;
  const U<W> denormal = (U<W>)(to_float((I<W>)m) * 0x1p-24f);
  const U<W> normal = (m << 13) + 0x38000000;
  U<W> value = select<W>((U<W>)((I<W>)m < 0x400), denormal, normal);
  value = select<W>((U<W>)((I<W>)m == 0x7c00), all<W>(kInfinity), value) | (half & 0x8000) << 16;
  return select<W>((U<W>)((I<W>)m > 0x7c00), all<W>(kNan), value);
}

}  // namespace cutaway::func::CUTAWAY_ALU
