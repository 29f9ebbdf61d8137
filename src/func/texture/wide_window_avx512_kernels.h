// Samples of textures whose texels lie in windows, for AVX-512: included by wide_window_kernels.h, under the
// same rules.
#ifndef CUTAWAY_ALU
#error "wide_window_avx512_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

static_assert(kSteps == 2 && kDoubles == static_cast<int>(kWideQuads));

// The square of the longer side of each quad's shape on level 0, in texels: pixel_sides() in floats.
CUTAWAY_INLINE QuadFloats longer_side(const WideTexture& t, const Coordinate& u, const Coordinate& v) {
  struct Along {
    QuadFloats x, y;
  };
  const auto along = [](const Coordinate& c, float size) __attribute__((always_inline))->Along {
    const auto of_quad = [&]<int lane>() __attribute__((always_inline)) {
      return __builtin_shufflevector(c.step[0], c.step[1], lane, lane + 4, lane + 8, lane + 12, lane + 16,
                                     lane + 20, lane + 24, lane + 28);
    };
    const QuadFloats at = of_quad.template operator()<0>();
    return {(of_quad.template operator()<1>() - at) * size, (of_quad.template operator()<2>() - at) * size};
  };
  const Along s = along(u, t.level.width_float[0]), r = along(v, t.level.height_float[0]);
  return (QuadFloats)_mm256_max_ps((__m256)(s.x * s.x + r.x * r.x), (__m256)(s.y * s.y + r.y * r.y));
}

// estimate_level() for all quads at once, in floats.
CUTAWAY_INLINE QuadLevels estimate_levels(const WideTexture& t, const Coordinate& u, const Coordinate& v) {
  const EstimatedLog2 log = estimated_log2(longer_side(t, u, v));
  const float half = t.window.half_units, bias = t.window.bias;
  const QuadFloats level = (log.whole * half + bias) + log.part * half;
  const __m256i fixed = _mm256_cvtps_epi32((__m256)level);
  const QuadFloats away = level - (QuadFloats)_mm256_cvtepi32_ps(fixed);
  // Levels beyond the limits are clamped alike.
  const __m256i low = _mm256_set1_epi32(t.window.lowest), high = _mm256_set1_epi32(t.window.highest);
  const __mmask8 within = _mm256_cmplt_epi32_mask(_mm256_sub_epi32(low, _mm256_set1_epi32(1)), fixed) &
                          _mm256_cmple_epi32_mask(fixed, _mm256_add_epi32(high, _mm256_set1_epi32(1)));
  const __m256 distance = _mm256_and_ps((__m256)away, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)));
  const __mmask8 near = _mm256_mask_cmp_ps_mask(within, distance, _mm256_set1_ps(kSureOfLevel), _CMP_NLE_UQ);
  return {(QuadInts)_mm256_max_epi32(_mm256_min_epi32(fixed, high), low), near == 0};
}

static_assert(kWindowColumns == 8 && kWindowRows == 8);

// Constants that are read from memory as operands: compilers make vectors of them in several instructions. A
// column and a row are two numbers of 16 bits.
struct WindowConstants {
  uint32_t one = 1, fraction = 255;
  uint32_t least_place = 0x0000ffff, next_row = 0x00010000;
  uint32_t last_place = (kWindowRows - 1) << 16 | (kWindowColumns - 2);
  uint32_t number = kWindowColumns << 16 | 1, half = kWindowColumns * kWindowRows / 2;
  uint32_t bytes_of_one = 0x01010101, halves_of_256 = 0x01000100, sign_bits = 0x80808080;
  uint32_t offset_of_sums = 128 << 16;
};
constexpr WindowConstants kWindowConstants;
CUTAWAY_INLINE const WindowConstants& window_constants() {
  const WindowConstants* constants = &kWindowConstants;
  asm("" : "+r"(constants));
  return *constants;
}
CUTAWAY_INLINE __m512i all_lanes(uint32_t word) { return _mm512_set1_epi32(static_cast<int32_t>(word)); }

struct Window {
  const uint32_t* texels;
  size_t pitch;
  __m512i upper, lower;  // by lane: numbers of the left texels of both rows, row after row

  CUTAWAY_INLINE __m512i two_rows(size_t row) const {
    const auto one = [&](size_t n) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(texels + pitch * n));
    };
    return _mm512_inserti64x4(_mm512_castsi256_si512(one(row)), one(row + 1), 1);
  }
  // The texels of the lanes, with some bits turned; those on the right of lanes in `right`.
  CUTAWAY_INLINE void find(const WindowConstants& k, __mmask16 right, __m512i turned, Pairs (&out)[2]) const {
    const __m512i one = all_lanes(k.one), last = all_lanes(k.half);
    const __m512i index[4] = {upper, _mm512_mask_add_epi32(upper, right, upper, one), lower,
                              _mm512_mask_add_epi32(lower, right, lower, one)};
    const auto rows = [&](size_t row) { return _mm512_xor_si512(two_rows(row), turned); };
    const __m512i a = rows(0), b = rows(2);
    __m512i found[4];
    CUTAWAY_UNROLL for (int i = 0; i < 4; i++) found[i] = _mm512_permutex2var_epi32(a, index[i], b);
    const __mmask16 beyond[2] = {_mm512_test_epi32_mask(upper, last), _mm512_test_epi32_mask(lower, last)};
    if (!_kortestz_mask16_u8(beyond[0], beyond[1])) {
      const __m512i c = rows(4), d = rows(6);
      CUTAWAY_UNROLL for (int i = 0; i < 4; i++) found[i] =
          _mm512_mask_blend_epi32(beyond[i / 2], found[i], _mm512_permutex2var_epi32(c, index[i], d));
    }
    out[0] = {(Words)found[0], (Words)found[1]}, out[1] = {(Words)found[2], (Words)found[3]};
  }
};

// The window from the least column and row on. Returns false if a lane's texels lie outside.
CUTAWAY_INLINE bool find_window(const TexelRows& copy, const WindowConstants& k, uint32_t level,
                                __m512i upper, __m512i lower, Window& out) {
  const __m256i half = _mm256_min_epi16(_mm512_castsi512_si256(upper), _mm512_extracti64x4_epi64(upper, 1));
  __m128i least = _mm_min_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
  least = _mm_min_epi16(least, _mm_shuffle_epi32(least, 0x4e));
  least = _mm_min_epi16(least, _mm_shuffle_epi32(least, 0xb1));
  const int32_t first = _mm_cvtsi128_si32(least);
  out.pitch = copy.pitch[level];
  out.texels = copy.texels + copy.first[level] + static_cast<int16_t>(first) +
               static_cast<ptrdiff_t>(out.pitch) * (first >> 16);
  const __m512i origin = _mm512_broadcastd_epi32(least), number = all_lanes(k.number);
  upper = _mm512_sub_epi16(upper, origin), lower = _mm512_sub_epi16(lower, origin);
  out.upper = _mm512_madd_epi16(upper, number), out.lower = _mm512_madd_epi16(lower, number);
  return _mm512_cmpgt_epu16_mask(_mm512_max_epu16(upper, lower), all_lanes(k.last_place)) == 0;
}

// filter_unorm8 of filter.cpp, whose sums are exact in any order, for texels the highest bits of whose bytes
// are turned: as signed bytes they are 128 less. `x` and `y` end in the weights of the right texels and of
// the lower row. Where the former is 0 the right texels must equal the left ones: they get 1/256, so that a
// weight is at most 255.
struct TurnedWeights {
  __m512i x, y;  // of the left and right texels, by byte; of the upper and lower row, by half

  CUTAWAY_INLINE TurnedWeights(const WindowConstants& k, __m512i at_x, __m512i at_y) {
    const __m512i bytes =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
    const __m512i halves =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1));
    x = _mm512_max_epu8(_mm512_shuffle_epi8(at_x, bytes), all_lanes(k.bytes_of_one));
    x = _mm512_mask_sub_epi8(x, 0x5555555555555555, _mm512_setzero_si512(), x);
    y = _mm512_shuffle_epi8(at_y, halves);
    y = _mm512_mask_sub_epi16(y, 0x55555555, all_lanes(k.halves_of_256), y);
  }
};
CUTAWAY_INLINE Color filter_turned(const WindowConstants& k, const Pairs (&row)[2],
                                   const TurnedWeights& weights) {
  constexpr __mmask64 kOddBytes = 0xaaaaaaaaaaaaaaaa;
  constexpr __mmask32 kOddHalves = 0xaaaaaaaa;
  __m512i even[2], odd[2];
  CUTAWAY_UNROLL for (int r = 0; r < 2; r++) {
    const auto left = (__m512i)row[r].left, right = (__m512i)row[r].right;
    even[r] =
        _mm512_maddubs_epi16(weights.x, _mm512_mask_blend_epi8(kOddBytes, left, _mm512_slli_epi16(right, 8)));
    odd[r] =
        _mm512_maddubs_epi16(weights.x, _mm512_mask_blend_epi8(kOddBytes, _mm512_srli_epi16(left, 8), right));
  }
  const auto below = [&](const __m512i(&half)[2]) __attribute__((always_inline)) {
    return _mm512_mask_blend_epi16(kOddHalves, half[0], _mm512_slli_epi32(half[1], 16));
  };
  const auto above = [&](const __m512i(&half)[2]) __attribute__((always_inline)) {
    return _mm512_mask_blend_epi16(kOddHalves, _mm512_srli_epi32(half[0], 16), half[1]);
  };
  const __m512i rows[4] = {below(even), below(odd), above(even), above(odd)};
  Color out;
  CUTAWAY_UNROLL for (int c = 0; c < 4; c++) {
    const Ints sum = (Ints)_mm512_madd_epi16(rows[c], weights.y) + (Ints)all_lanes(k.offset_of_sums);
    out.c[c] = quotient(to_float(sum), 255.0f * 65536);
  }
  return out;
}

// Window::find() of texels that lie farther apart, from the columns and rows themselves.
[[gnu::noinline]] inline void find_apart(const TexelRows& copy, uint32_t level, __m512i upper, __m512i lower,
                                         __mmask16 right, __m512i turned, Pairs (&out)[2]) {
  const Words first = Words{} + copy.first[level], pitch = Words{} + copy.pitch[level];
  for (int i = 0; i < 2; i++) {
    const auto place = (Ints)(i ? lower : upper), column = (place << 16) >> 16, row = place >> 16;
    const Pairs found = gather_pairs<4>(reinterpret_cast<uintptr_t>(copy.texels),
                                        first + (Words)column + product((Words)row, pitch));
    const Ints on_right = choose(lanes_of(right), (Ints)found.right, (Ints)found.left);
    out[i] = {found.left ^ (Words)turned, (Words)on_right ^ (Words)turned};
  }
}

// The places of a vector's lanes in a level: columns and rows of the left texels of both rows, weights as
// TurnedWeights takes them, and the window if all lie in it.
struct WindowPlace {
  __m512i x, y, upper, lower;
  Window window;
  bool near;
};

// `far` gets bits of lanes that lie too far away for this path.
CUTAWAY_INLINE WindowPlace locate_in_window(const WideTexture& t, const TexelRows& copy,
                                            const WindowConstants& k, Floats u, Floats v, uint32_t level,
                                            __m512i& far) {
  const WindowTables& w = t.window;
  const auto fixed = [&](Floats coordinate, uint32_t axis) __attribute__((always_inline)) {
    const Ints twice = floor_to_int(coordinate * w.scale[axis][level]);
    far |= _mm512_abs_epi32((__m512i)twice) & all_lanes(w.far[axis]);
    return (__m512i)(((twice + (Ints)all_lanes(k.one)) >> 1) + (Ints)all_lanes(w.shift[axis]));
  };
  const auto wrapped = [&](__m512i places) __attribute__((always_inline)) {
    return _mm512_max_epi16(
        _mm512_min_epi16(_mm512_and_si512(places, all_lanes(w.mask[level])), all_lanes(w.last[level])),
        all_lanes(k.least_place));
  };
  WindowPlace out;
  out.x = fixed(u, 0), out.y = fixed(v, 1);
  const __m512i upper =
      _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(out.x, 8), _mm512_slli_epi32(out.y, 8));
  out.upper = wrapped(upper);
  out.lower = wrapped(_mm512_add_epi16(upper, all_lanes(k.next_row)));
  out.near = find_window(copy, k, level, out.upper, out.lower, out.window);
  return out;
}

template <bool kIntegers>
CUTAWAY_INLINE Color sample_place(const TexelRows& copy, const WindowConstants& k, uint32_t level,
                                  const WindowPlace& at) {
  Pairs found[2];
  const __m512i turned = kIntegers ? all_lanes(k.sign_bits) : _mm512_setzero_si512();
  const __mmask16 right = kIntegers ? _mm512_test_epi32_mask(at.x, all_lanes(k.fraction)) : 0xffff;
  if (at.near) [[likely]]
    at.window.find(k, right, turned, found);
  else find_apart(copy, level, at.upper, at.lower, right, turned, found);
  if constexpr (kIntegers) return filter_turned(k, found, TurnedWeights(k, at.x, at.y));
  else return filter_pairs<false>(found, (Ints)at.x & 255, (Ints)at.y & 255);
}

// Bilinear samples of one level, or of it and the next with weights in 1/256 by quad. Returns false, with
// nothing written, if a lane lies too far away for this path. All places are found before the first texel is
// loaded: see sample_bilinear_group().
template <bool kIntegers, uint32_t kLevels>
CUTAWAY_INLINE bool sample_levels(const WideTexture& t, const TexelRows& copy, const Coordinate& u,
                                  const Coordinate& v, uint32_t level, QuadInts weights,
                                  uint32_t result[4][kWideLanes]) {
  const WindowConstants& k = window_constants();
  WindowPlace at[kLevels][kSteps];
  __m512i far = _mm512_setzero_si512();
  CUTAWAY_UNROLL for (uint32_t next = 0; next < kLevels; next++)
      CUTAWAY_UNROLL for (int i = 0; i < kSteps; i++) at[next][i] =
          locate_in_window(t, copy, k, u.step[i], v.step[i], level + next, far);
  if (_mm512_test_epi32_mask(far, far)) return false;
  CUTAWAY_UNROLL for (auto& of_level : at) CUTAWAY_UNROLL for (WindowPlace& place : of_level) asm volatile(
      "" : "+v"(place.window.upper), "+v"(place.window.lower), "+r"(place.window.texels));
  CUTAWAY_UNROLL for (int i = 0; i < kSteps; i++) {
    Color value = sample_place<kIntegers>(copy, k, level, at[0][i]);
    if constexpr (kLevels > 1) {
      const Words quad{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
      const __m512i of_quads = _mm512_castsi256_si512((__m256i)weights);
      value = between_levels(value, sample_place<kIntegers>(copy, k, level + 1, at[1][i]),
                             (Ints)_mm512_permutexvar_epi32((__m512i)(quad + 4u * i), of_quads));
    }
    if (t.swizzle != arch::kSwizzleIdentity) put_color(t, value, i * kVector, result);
    else CUTAWAY_UNROLL for (int c = 0; c < 4; c++) store(&result[c][i * kVector], (Words)value.c[c]);
  }
  return true;
}

}  // namespace cutaway::func::CUTAWAY_ALU
