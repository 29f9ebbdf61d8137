// EX2, LG2, SIN and COS. Included after alu_lanes.h, under the same rules.
//
// Each is computed in double precision and rounded once to float at the end, so results are correctly rounded
// except for a few inputs in a million whose double falls on the other side of a tie. Only IEEE additions,
// multiplications and divisions in a fixed order are used, so the bits do not depend on the instruction set.
// docs/isa.md "Transcendental functions" states the polynomials and their errors.

namespace cutaway::func::CUTAWAY_ALU {

#ifdef __AVX512F__
constexpr int kDoubles = 8;
typedef double D __attribute__((vector_size(64)));
typedef uint64_t J __attribute__((vector_size(64)));
#elif defined(__AVX2__)
constexpr int kDoubles = 4;
typedef double D __attribute__((vector_size(32)));
typedef uint64_t J __attribute__((vector_size(32)));
#else
constexpr int kDoubles = 2;
typedef double D __attribute__((vector_size(16)));
typedef uint64_t J __attribute__((vector_size(16)));
#endif

CUTAWAY_INLINE D widen(const float* f) {
#ifdef __AVX512F__
  return (D)_mm512_cvtps_pd(_mm256_loadu_ps(f));
#elif defined(__AVX2__)
  return (D)_mm256_cvtps_pd(_mm_loadu_ps(f));
#else
  return D{f[0], f[1]};
#endif
}

CUTAWAY_INLINE void narrow(float* f, D d) {
#ifdef __AVX512F__
  _mm256_storeu_ps(f, _mm512_cvtpd_ps((__m512d)d));
#elif defined(__AVX2__)
  _mm_storeu_ps(f, _mm256_cvtpd_ps((__m256d)d));
#else
  for (int n = 0; n < kDoubles; ++n) f[n] = static_cast<float>(d[n]);
#endif
}

template <int W>
CUTAWAY_INLINE void spill(float* f, F<W> v) {
  store<W>(reinterpret_cast<uint32_t*>(f), (U<W>)v);
}
template <int W>
CUTAWAY_INLINE F<W> fill(const float* f) {
  return (F<W>)load<W>(reinterpret_cast<const uint32_t*>(f));
}

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

// Adding and subtracting this rounds a float below 2^22 (a double below 2^51) to an integer, ties to even;
// the low bits of the sum are the integer in two's complement.
constexpr float kRoundFloat = 0x1.8p23f;
constexpr double kRoundDouble = 0x1.8p52;

// 2^f for |f| <= 1/2: the Taylor series to the power 10, relative error below 2^-42.
CUTAWAY_INLINE D exp2_polynomial(D f) {
  constexpr double c1 = kLn2, c2 = c1 * kLn2 / 2, c3 = c2 * kLn2 / 3, c4 = c3 * kLn2 / 4, c5 = c4 * kLn2 / 5,
                   c6 = c5 * kLn2 / 6, c7 = c6 * kLn2 / 7, c8 = c7 * kLn2 / 8, c9 = c8 * kLn2 / 9,
                   c10 = c9 * kLn2 / 10;
  D p = f * c10 + c9;
  p = p * f + c8;
  p = p * f + c7;
  p = p * f + c6;
  p = p * f + c5;
  p = p * f + c4;
  p = p * f + c3;
  p = p * f + c2;
  p = p * f + c1;
  return p * f + 1.0;
}

template <int W>
[[gnu::noinline]] F<W> exp2(F<W> x) {
  // Beyond these bounds the result is infinite or flushed.
  F<W> a = (F<W>)select<W>((U<W>)(x < 130.0f), (U<W>)x, (U<W>)all<W>(130.0f));
  a = (F<W>)select<W>((U<W>)(a > -150.0f), (U<W>)a, (U<W>)all<W>(-150.0f));
  const F<W> whole = (a + kRoundFloat) - kRoundFloat;
  float n[W], f[W], r[W];
  spill<W>(n, whole);
  spill<W>(f, a - whole);
  for (int h = 0; h < W; h += kDoubles) {
    const J exponent = (J)(widen(n + h) + kRoundDouble) << 52;
    narrow(r + h, (D)((J)exp2_polynomial(widen(f + h)) + exponent));
  }
  return (F<W>)select<W>(is_nan<W>(x), (U<W>)x, (U<W>)fill<W>(r));
}

// log2((1 + s) / (1 - s)) = 2/ln 2 (s + s^3/3 + s^5/5 + …) for |s| <= 0.1716, to the power 17; relative error
// below 2^-47.
CUTAWAY_INLINE D log2_polynomial(D s) {
  constexpr double k = 2 / kLn2;
  const D q = s * s;
  D p = q * (k / 17) + k / 15;
  p = p * q + k / 13;
  p = p * q + k / 11;
  p = p * q + k / 9;
  p = p * q + k / 7;
  p = p * q + k / 5;
  p = p * q + k / 3;
  p = p * q + k;
  return p * s;
}

template <int W>
[[gnu::noinline]] F<W> log2(F<W> x) {
  constexpr uint32_t kRootHalf = 0x3f3504f3;  // float nearest to sqrt(1/2)
  const U<W> bits = flushed<W>((U<W>)x);
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)).
  const I<W> e = (I<W>)(bits - kRootHalf) >> 23;
  const U<W> m = bits - ((U<W>)e << 23);
  float ef[W], mf[W], r[W];
  spill<W>(ef, to_float(e));
  spill<W>(mf, (F<W>)m);
  for (int h = 0; h < W; h += kDoubles) {
    const D d = widen(mf + h);
    narrow(r + h, log2_polynomial((d - 1.0) / (d + 1.0)) + widen(ef + h));
  }
  U<W> result = (U<W>)fill<W>(r);
  result = select<W>((U<W>)(bits == kInfinity), all<W>(kInfinity), result);
  result = select<W>((U<W>)((I<W>)bits < 0) | is_nan<W>(x), all<W>(kNan), result);
  return (F<W>)select<W>((U<W>)((bits & kMagnitude) == 0), all<W>(kInfinity | kSign), result);
}

// An angle as quadrant and remainder: x = quadrant π/2 + rest, |rest| <= π/4.
struct Angle {
  uint64_t quadrant;  // modulo 4
  double rest;
};

// For |x| >= 2^20: uses as many bits of 2/π as the exponent requires.
[[gnu::noinline]] inline Angle reduce_large(uint32_t bits) {
  __extension__ typedef unsigned __int128 Wide;
  constexpr uint32_t kTwoOverPi[8] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                      0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
  const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  const int exponent = static_cast<int>(bits >> 23 & 255) - 150;  // |x| = mantissa 2^exponent
  // 96 bits of 2/π from bit `first` on: earlier bits contribute whole turns.
  const int first = exponent > 2 ? exponent - 2 : 0;
  Wide window = 0;
  for (int n = 0; n < 4; ++n) window = window << 32 | kTwoOverPi[first / 32 + n];
  window = window >> (32 - first % 32) & ((Wide{1} << 96) - 1);
  // |x| 2/π modulo 4 is product 2^-point.
  const Wide product = window * mantissa;
  const int point = 96 - (exponent - first);
  const Wide half = Wide{1} << (point - 1);
  Angle a;
  a.quadrant = static_cast<uint64_t>((product + half) >> point) & 3;
  const Wide part = (product + half) & ((half << 1) - 1);  // fraction + 1/2
  const bool below = part < half;
  const Wide distance = below ? half - part : part - half;
  constexpr double kScale = 0x1p40;
  double rest = static_cast<double>(static_cast<int64_t>(distance >> 40)) * kScale +
                static_cast<double>(static_cast<int64_t>(distance & ((Wide{1} << 40) - 1)));
  rest *= __builtin_bit_cast(double, static_cast<uint64_t>(1023 - point) << 52);  // 2^-point
  rest *= 0x1.921fb54442d18p+0;                                                   // π/2
  a.rest = below ? -rest : rest;
  if (bits & kSign) {
    a.quadrant = (0 - a.quadrant) & 3;
    a.rest = -a.rest;
  }
  return a;
}

// Taylor series on |r| <= π/4; relative errors below 2^-40 (sine, power 13) and 2^-40 (cosine, power 12).
CUTAWAY_INLINE D sine_polynomial(D r, D q) {
  D p = q * (1.0 / 6227020800) - 1.0 / 39916800;
  p = p * q + 1.0 / 362880;
  p = p * q - 1.0 / 5040;
  p = p * q + 1.0 / 120;
  p = p * q - 1.0 / 6;
  return r + r * q * p;
}
CUTAWAY_INLINE D cosine_polynomial(D q) {
  D p = q * (1.0 / 479001600) - 1.0 / 3628800;
  p = p * q + 1.0 / 40320;
  p = p * q - 1.0 / 720;
  p = p * q + 1.0 / 24;
  p = p * q - 0.5;
  return p * q + 1.0;
}

// The sine of x plus `shift` quarter turns.
template <int W, uint64_t shift>
[[gnu::noinline]] F<W> sine(F<W> x) {
  // π/2 in three parts, the first two of 33 bits: multiples up to 2^20 are exact.
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34, kPart3 = 0x1.3198a2e037073p-69;
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr uint32_t kLarge = 0x49800000;  // 2^20
  const U<W> magnitude = (U<W>)x & kMagnitude;
  const U<W> finite = (U<W>)((I<W>)magnitude < (int32_t)kInfinity);
  const U<W> large = finite & (U<W>)((I<W>)magnitude >= (int32_t)kLarge);
  float in[W], r[W];
  uint32_t is_large[W];
  spill<W>(in, (F<W>)(flushed<W>((U<W>)x) & finite));
  store<W>(is_large, large);
  for (int h = 0; h < W; h += kDoubles) {
    const D d = widen(in + h);
    const D rounded = d * kTwoOverPi + kRoundDouble;
    const D k = rounded - kRoundDouble;
    J quadrant = (J)rounded;
    D rest = ((d - k * kPart1) - k * kPart2) - k * kPart3;
    for (int n = 0; n < kDoubles; ++n) {
      if (!is_large[h + n]) continue;
      const Angle angle = reduce_large(__builtin_bit_cast(uint32_t, in[h + n]));
      quadrant[n] = angle.quadrant;
      rest[n] = angle.rest;
    }
    quadrant += shift;
    const D q = rest * rest;
    const J odd = J{} - (quadrant & 1);
    const J value = ((J)cosine_polynomial(q) & odd) | ((J)sine_polynomial(rest, q) & ~odd);
    narrow(r + h, (D)(value ^ (quadrant & 2) << 62));
  }
  U<W> result = (U<W>)fill<W>(r);
  // The sine of a zero is the same zero.
  if (shift == 0) result = select<W>((U<W>)((magnitude & kInfinity) == 0), (U<W>)x & kSign, result);
  return (F<W>)select<W>(finite, result, all<W>(kNan));
}

}  // namespace cutaway::func::CUTAWAY_ALU
