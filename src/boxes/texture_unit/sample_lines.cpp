#include "boxes/texture_unit/sample_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "func/texture/quad_lanes.h"

namespace cutaway::boxes {

using func::Int4;

namespace {

// Returns a bit for each texel of these lanes.
uint32_t texels_of(uint32_t lanes) {
  constexpr uint16_t kTexels[16] = {0x0000, 0x000f, 0x00f0, 0x00ff, 0x0f00, 0x0f0f, 0x0ff0, 0x0fff,
                                    0xf000, 0xf00f, 0xf0f0, 0xf0ff, 0xff00, 0xff0f, 0xfff0, 0xffff};
  return kTexels[lanes & 15];
}

// Elements of `yes` where the mask is all ones.
__m128i blend(__m128i mask, __m128i yes, __m128i no) {
  return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

// Offsets of texels from the beginning of a line, as halves of two lanes each, and a mask of those inside it.
struct InLine {
  __m128i at[2], inside[2];
};

// from_start: distance of the texels' base from the beginning of the line, modulo 2^32.
InLine find_in_line(const LineUnits& units, const Int4 offset[func::kQuadLanes], uint32_t from_start) {
  const Int4 first = Int4{} + static_cast<int32_t>(from_start);
  const __m128i last = _mm_set1_epi16(static_cast<int16_t>(units.line_bytes() - 1));
  InLine found;
  for (uint32_t half = 0; half < 2; half++) {
    const __m128i at = _mm_packs_epi32((__m128i)(offset[2 * half] + first),
                                       (__m128i)(offset[2 * half + 1] + first));  // far ones saturate
    found.at[half] = at;
    found.inside[half] = _mm_cmpeq_epi16(_mm_subs_epu16(at, last), _mm_setzero_si128());  // negative: large
  }
  return found;
}

// Returns the grains of the units in which some texels of a line lie.
uint16_t grains_of(const LineUnits& units, const InLine& line, uint32_t texels) {
  if (units.unit_bytes() == units.line_bytes()) return units.grains_at(0);
  const __m128i shift = _mm_cvtsi32_si128(units.unit_shift());
  const __m128i unit_of =
      _mm_packus_epi16(_mm_srl_epi16(line.at[0], shift), _mm_srl_epi16(line.at[1], shift));
  alignas(16) uint8_t unit[4 * func::kQuadLanes];
  _mm_store_si128(reinterpret_cast<__m128i*>(unit), unit_of);
  uint32_t grains = 0;
  while (texels) {  // mostly all of them are in one unit
    const uint32_t first = unit[std::countr_zero(texels)];
    const __m128i in_first = _mm_cmpeq_epi8(unit_of, _mm_set1_epi8(static_cast<char>(first)));
    texels &= ~static_cast<uint32_t>(_mm_movemask_epi8(in_first));
    grains |= units.grains_at(first << units.unit_shift());
  }
  return static_cast<uint16_t>(grains);
}

}  // namespace

LineUnits::LineUnits(const TextureUnitSpec& spec)
    : line_(spec.line_bytes),
      line_bytes_(spec.line_bytes),
      unit_bytes_(spec.fetch_bytes),
      unit_shift_(std::countr_zero(spec.fetch_bytes)) {
  const uint32_t fetched = (1u << spec.fetch_bytes / spec.grain()) - 1;
  for (uint32_t at = 0; at < std::min(line_bytes_, kMostLineBytes); at += kLeastUnit)
    grains_[at / kLeastUnit] =
        static_cast<uint16_t>(fetched << at / spec.fetch_bytes * spec.fetch_bytes / spec.grain());
}

uint32_t SampleLines::Line::first_lane() const { return static_cast<uint32_t>(std::countr_zero(texels)) / 4; }

uint8_t SampleLines::Line::lanes() const {
  uint32_t of_lane = texels | texels >> 1;
  of_lane = (of_lane | of_lane >> 2) & 0x1111;
  return static_cast<uint8_t>((of_lane + (of_lane >> 4) + (of_lane >> 8) + (of_lane >> 12)) & 7);
}

void SampleLines::find(const LineUnits& units, const func::QuadFootprint& quad, uint32_t lanes) {
  Int4 offset[func::kQuadLanes];
  std::memcpy(offset, quad.offset, sizeof offset);
  __m128i line_of{}, place[2] = {};
  uint32_t left = texels_of(lanes);
  for (count_ = 0; left; count_++) {
    const auto first = static_cast<uint32_t>(std::countr_zero(left));
    const arch::Address start = units.floor(quad.address(first / 4, first % 4));
    const InLine here = find_in_line(units, offset, static_cast<uint32_t>(quad.base - start));
    for (uint32_t half = 0; half < 2; half++)
      place[half] = blend(here.inside[half], here.at[half], place[half]);
    const __m128i inside = _mm_packs_epi16(here.inside[0], here.inside[1]);
    line_of = blend(inside, _mm_set1_epi8(static_cast<char>(count_)), line_of);
    const uint32_t texels = static_cast<uint32_t>(_mm_movemask_epi8(inside)) & left;
    line_[count_] = {start, grains_of(units, here, texels), static_cast<uint16_t>(texels)};
    left &= ~texels;
  }
  _mm_store_si128(reinterpret_cast<__m128i*>(line_of_.data()), line_of);
  for (uint32_t half = 0; half < 2; half++)
    _mm_store_si128(reinterpret_cast<__m128i*>(offset_.data()) + half, place[half]);
}

void SampleLines::renumber(const uint8_t number[]) {
  if (count_ == 1) return line_of_.fill(number[0]);
  for (uint8_t& line : line_of_) line = number[line];
}

}  // namespace cutaway::boxes
