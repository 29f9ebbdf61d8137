// Samples of textures by their copies for AVX2: included by wide_window_kernels.h, under the same rules. It
// has no windows, because no look-up there has a table as large: a load takes each lane's pair of texels.
#ifndef CUTAWAY_ALU
#error "wide_window_avx2_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

static_assert(kSteps == 4 && kVector == static_cast<int>(kWideQuads));

// How a coordinate of each quad changes to the pixel on the right and to the one below, in texels of level 0.
// Quads have the order 0, 2, 4, 6, 1, 3, 5, 7.
struct QuadChanges {
  Floats right, below;

  CUTAWAY_INLINE QuadChanges(const Coordinate& c, float size) {
    const auto of = [](Floats a) { return (__m256)a; };
    const __m256 a = _mm256_unpacklo_ps(of(c.step[0]), of(c.step[1]));
    const __m256 b = _mm256_unpacklo_ps(of(c.step[2]), of(c.step[3]));
    const __m256 low_a = _mm256_unpackhi_ps(of(c.step[0]), of(c.step[1]));
    const __m256 low_b = _mm256_unpackhi_ps(of(c.step[2]), of(c.step[3]));
    const auto at = (Floats)_mm256_shuffle_ps(a, b, 0x44);
    right = ((Floats)_mm256_shuffle_ps(a, b, 0xee) - at) * size;
    below = ((Floats)_mm256_shuffle_ps(low_a, low_b, 0x44) - at) * size;
  }
};

// estimate_level() for all quads at once, in floats.
CUTAWAY_INLINE QuadLevels estimate_levels(const WideTexture& t, const Coordinate& u, const Coordinate& v) {
  const QuadChanges s(u, t.level.width_float[0]), r(v, t.level.height_float[0]);
  const Floats side = most(s.right * s.right + r.right * r.right, s.below * s.below + r.below * r.below);
  const EstimatedLog2 log = estimated_log2(side);
  const float half = t.window.half_units, bias = t.window.bias;
  const Floats level = (log.whole * half + bias) + log.part * half;
  const auto fixed = (Ints)_mm256_cvtps_epi32((__m256)level);
  const Floats away = (Floats)((Ints)(level - to_float(fixed)) & 0x7fffffff);
  // Levels beyond the limits are clamped alike.
  const int32_t low = t.window.lowest, high = t.window.highest;
  const Ints within = (Ints)(fixed > low - 2) & (Ints)(fixed < high + 2);
  const Ints near = within & ~(Ints)(away <= kSureOfLevel);  // of NaN, too
  const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const Ints limited = most(least(fixed, Ints{} + high), Ints{} + low);
  return {(Ints)_mm256_permutevar8x32_epi32((__m256i)limited, in_order), mask_of(near) == 0};
}

// The place of a vector's lanes in a level: left texels of both rows, in words from TexelRows::texels on, and
// places whose lowest bytes are the weights of the right texels and of the lower row.
struct PairPlace {
  alignas(32) uint32_t row[2][kVector];
  Ints x, y;
};

// `far` gets bits of lanes that lie too far away for this path.
CUTAWAY_INLINE void locate_pairs(const WideTexture& t, const TexelRows& copy, Floats u, Floats v,
                                 uint32_t level, Ints& far, PairPlace& out) {
  const WindowTables& w = t.window;
  const auto bits = [](uint32_t word) __attribute__((always_inline)) {
    return _mm256_set1_epi32(static_cast<int32_t>(word));
  };
  const auto fixed = [&](Floats coordinate, uint32_t axis) __attribute__((always_inline)) {
    // Numbers that no integer holds, which floor_to_int() does not allow, become the least one.
    const auto twice = (Ints)_mm256_cvtps_epi32(_mm256_floor_ps((__m256)(coordinate * w.scale[axis][level])));
    far |= (Ints)_mm256_abs_epi32((__m256i)twice) & (Ints)bits(w.far[axis]);
    return ((twice + 1) >> 1) + (Ints)bits(w.shift[axis]);
  };
  const auto wrapped = [&](__m256i places) __attribute__((always_inline)) {
    return _mm256_max_epi16(
        _mm256_min_epi16(_mm256_and_si256(places, bits(w.mask[level])), bits(w.last[level])), bits(0xffff));
  };
  out.x = fixed(u, 0), out.y = fixed(v, 1);
  // A row above a column, of 16 bits each.
  const __m256i upper =
      _mm256_blend_epi16(_mm256_srli_epi32((__m256i)out.x, 8), _mm256_slli_epi32((__m256i)out.y, 8), 0xaa);
  const __m256i places[2] = {wrapped(upper), wrapped(_mm256_add_epi16(upper, bits(0x10000)))};
  const __m256i pitch = bits(copy.pitch[level] << 16 | 1);
  CUTAWAY_UNROLL for (int i = 0; i < 2; i++)
      put_lanes(out.row[i], (Words)_mm256_madd_epi16(places[i], pitch) + copy.first[level]);
}

// filter_unorm8 of filter.cpp, whose sums are exact in any order. The highest bits of the texels' bytes are
// turned: as signed bytes they are 128 less. Where the weight of the right texels is 0 they are taken to
// equal the left ones, and get 1/256, so that a weight is at most 255.
CUTAWAY_INLINE Color filter_turned(Pairs (&row)[2], Ints at_x, Ints at_y) {
  const __m256i odd_bytes = _mm256_set1_epi16(static_cast<int16_t>(0xff00));
  const __m256i turned = _mm256_set1_epi8(static_cast<char>(0x80));
  const __m256i bytes =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
  const __m256i halves =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, -1, 0, -1, 4, -1, 4, -1, 8, -1, 8, -1, 12, -1, 12, -1));
  const __m256i none = (__m256i)(Ints)((at_x & 255) == 0);
  __m256i x = _mm256_max_epu8(_mm256_shuffle_epi8((__m256i)at_x, bytes), _mm256_set1_epi8(1));
  x = _mm256_sign_epi8(x, _mm256_set1_epi16(0x01ff));
  __m256i y = _mm256_shuffle_epi8((__m256i)at_y, halves);
  y = _mm256_add_epi16(_mm256_sign_epi16(y, _mm256_set1_epi32(0x0001ffff)), _mm256_set1_epi32(256));
  __m256i even[2], odd[2];
  CUTAWAY_UNROLL for (int r = 0; r < 2; r++) {
    const __m256i left = _mm256_xor_si256((__m256i)row[r].left, turned);
    const __m256i right =
        _mm256_xor_si256(_mm256_blendv_epi8((__m256i)row[r].right, (__m256i)row[r].left, none), turned);
    even[r] = _mm256_maddubs_epi16(x, _mm256_blendv_epi8(left, _mm256_slli_epi16(right, 8), odd_bytes));
    odd[r] = _mm256_maddubs_epi16(x, _mm256_blendv_epi8(_mm256_srli_epi16(left, 8), right, odd_bytes));
  }
  const auto below = [&](const __m256i(&half)[2]) __attribute__((always_inline)) {
    return _mm256_blend_epi16(half[0], _mm256_slli_epi32(half[1], 16), 0xaa);
  };
  const auto above = [&](const __m256i(&half)[2]) __attribute__((always_inline)) {
    return _mm256_blend_epi16(_mm256_srli_epi32(half[0], 16), half[1], 0xaa);
  };
  const __m256i rows[4] = {below(even), below(odd), above(even), above(odd)};
  Color out;
  CUTAWAY_UNROLL for (int c = 0; c < 4; c++) {
    const Ints sum = (Ints)_mm256_madd_epi16(rows[c], y) + (128 << 16);
    out.c[c] = quotient(to_float(sum), 255.0f * 65536);
  }
  return out;
}

template <bool kIntegers>
CUTAWAY_INLINE Color sample_pairs(const TexelRows& copy, const PairPlace& at) {
  const auto texels = reinterpret_cast<uintptr_t>(copy.texels);
  Pairs row[2] = {gather_pairs<4>(texels, at.row[0]), gather_pairs<4>(texels, at.row[1])};
  if constexpr (kIntegers) return filter_turned(row, at.x, at.y);
  else return filter_pairs<false>(row, at.x & 255, at.y & 255);
}

// Bilinear samples of one level, or of it and the next with weights in 1/256 by quad. Returns false, with
// nothing written, if a lane lies too far away for this path. All places are found before the first texel is
// loaded: see sample_bilinear_group().
template <bool kIntegers, uint32_t kLevels>
CUTAWAY_INLINE bool sample_levels(const WideTexture& t, const TexelRows& copy, const Coordinate& u,
                                  const Coordinate& v, uint32_t level, Ints weights,
                                  uint32_t result[4][kWideLanes]) {
  PairPlace at[kLevels][kSteps];
  Ints far{};
  CUTAWAY_UNROLL for (uint32_t next = 0; next < kLevels; next++)
      CUTAWAY_UNROLL for (int i = 0; i < kSteps; i++)
          locate_pairs(t, copy, u.step[i], v.step[i], level + next, far, at[next][i]);
  if (!_mm256_testz_si256((__m256i)far, (__m256i)far)) return false;
  CUTAWAY_UNROLL for (int i = 0; i < kSteps; i++) {
    Color value = sample_pairs<kIntegers>(copy, at[0][i]);
    if constexpr (kLevels > 1) {
      const __m256i quads = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
      const __m256i of_step = _mm256_add_epi32(quads, _mm256_set1_epi32(2 * i));
      value = between_levels(value, sample_pairs<kIntegers>(copy, at[1][i]),
                             (Ints)_mm256_permutevar8x32_epi32((__m256i)weights, of_step));
    }
    if (t.swizzle != arch::kSwizzleIdentity) put_color(t, value, i * kVector, result);
    else CUTAWAY_UNROLL for (int c = 0; c < 4; c++) store(&result[c][i * kVector], (Words)value.c[c]);
  }
  return true;
}

}  // namespace cutaway::func::CUTAWAY_ALU
