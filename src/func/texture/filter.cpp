#include <algorithm>
#include <cstring>
#include <utility>

#include "func/format/block.h"
#include "func/format/numeric.h"
#include "func/texture/quad_footprint.h"
#include "func/texture/quad_lanes.h"
#include "func/texture/sample.h"

namespace cutaway::func {
namespace {

// Replaces absent channels of the format after the border (Vulkan "Conversion to RGBA").
void border_texel(const TextureView& view, const arch::Sampler& sampler, bool fetched, uint32_t out[4]) {
  const arch::FormatInfo& format = *view.format;
  const bool depth = format.has_depth() || format.has_stencil();
  for (uint32_t c = 0; c < 4; c++) {
    const bool present = depth               ? c == 0
                         : view.block_format ? c < block_components(view.layout)
                                             : format.channel[c].bits != 0;
    const uint32_t absent = c < 3 ? 0 : format.is_integer() ? 1 : kFloatOne;
    out[c] = !present ? absent : fetched ? 0 : sampler.border[c];
  }
}

// Mixes the four components of two texels.
Float4 lerp(Float4 a, Float4 b, float weight) { return weight != 0 ? a + weight * (b - a) : a; }

// "Depth Compare Operation": references for fixed-point depths are clamped first. Unknown operations pass.
bool passes(const arch::FormatInfo& format, uint32_t compare, float reference, float texel) {
  if (format.kind == arch::NumericKind::kUnorm) reference = reference > 0 ? std::min(reference, 1.0f) : 0;
  switch (static_cast<arch::Compare>(compare - 1)) {
    case arch::Compare::kNever:
      return false;
    case arch::Compare::kLess:
      return reference < texel;
    case arch::Compare::kEqual:
      return reference == texel;
    case arch::Compare::kLessOrEqual:
      return reference <= texel;
    case arch::Compare::kGreater:
      return reference > texel;
    case arch::Compare::kNotEqual:
      return reference != texel;
    case arch::Compare::kGreaterOrEqual:
      return reference >= texel;
    default:
      return true;
  }
}

// The mean of equal values is exactly that value.
void mean_of_others(uint32_t missing, uint32_t value[4][4]) {
  for (uint32_t c = 0; c < 4; c++) {
    const float a = bits_float(value[missing ^ 1][c]);
    const float b = bits_float(value[missing ^ 2][c]) - a, d = bits_float(value[missing ^ 3][c]) - a;
    value[missing][c] = float_bits(a + (b + d) / 3);
  }
}

// Two texels of four bytes as eight halves: the channels of the first, then of the second.
__m128i load_texels(const std::byte* first, const std::byte* second) {
  int32_t bytes[2];
  std::memcpy(&bytes[0], first, 4);
  std::memcpy(&bytes[1], second, 4);
  const __m128i both = _mm_unpacklo_epi32(_mm_cvtsi32_si128(bytes[0]), _mm_cvtsi32_si128(bytes[1]));
  return _mm_unpacklo_epi8(both, _mm_setzero_si128());
}

// Four channels of 8 bits: the weighted sum is an integer of at most 24 bits, exact in a float; only the
// division rounds. Along a row it has 16 bits.
Float4 filter_unorm8(const FootprintShape& footprint, const std::byte* const texel[4]) {
  const int fu = footprint.fraction_u, fv = footprint.fraction_v;
  const auto weighted = [](__m128i channels, int weight) {
    return _mm_mullo_epi16(channels, _mm_set1_epi16(static_cast<int16_t>(weight)));
  };
  const __m128i zero = _mm_setzero_si128();
  const __m128i rows = _mm_add_epi16(weighted(load_texels(texel[0], texel[2]), 256 - fu),
                                     weighted(load_texels(texel[1], texel[3]), fu));
  const Float4 sum = to_float((Int4)_mm_unpacklo_epi16(rows, zero)) * static_cast<float>(256 - fv) +
                     to_float((Int4)_mm_unpackhi_epi16(rows, zero)) * static_cast<float>(fv);
  return sum / (255.0f * 65536);
}

// filter_unorm8 of four lanes, two in a vector of halves.
void filter_unorm8_quad(const FetchedQuad& quad, Float4 value[kQuadLanes]) {
  const Int4 fractions = (Int4)load4(quad.shape->fractions);
  const __m128i zero = _mm_setzero_si128(), u = _mm_packs_epi32((__m128i)(fractions & 255), zero),
                u2 = _mm_unpacklo_epi16(u, u);
  const __m128i weight_u[2] = {_mm_unpacklo_epi32(u2, u2), _mm_unpackhi_epi32(u2, u2)};
  const Float4 weight_v = to_float(fractions >> 8), rest_v = 256.0f - weight_v;
  for (uint32_t half = 0; half < 2; half++) {
    const __m128i wu = weight_u[half], rest = _mm_sub_epi16(_mm_set1_epi16(256), wu);
    const auto texels = [&](uint32_t i) {
      return load_texels(quad.texel(8 * half + i), quad.texel(8 * half + 4 + i));
    };
    const auto row = [&](uint32_t first) {
      return _mm_add_epi16(_mm_mullo_epi16(texels(first), rest), _mm_mullo_epi16(texels(first + 1), wu));
    };
    const __m128i upper = row(0), lower = row(2);
    const auto sum = [&](__m128i above, __m128i below, uint32_t lane) {
      return (to_float((Int4)above) * rest_v[lane] + to_float((Int4)below) * weight_v[lane]) /
             (255.0f * 65536);
    };
    value[2 * half] = sum(_mm_unpacklo_epi16(upper, zero), _mm_unpacklo_epi16(lower, zero), 2 * half);
    value[2 * half + 1] = sum(_mm_unpackhi_epi16(upper, zero), _mm_unpackhi_epi16(lower, zero), 2 * half + 1);
  }
}

// Reads the texels of a footprint, compared with the reference if the plan says so.
void read_texels(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                 uint32_t lane, const FootprintShape& footprint, const std::byte* const texel[4],
                 uint32_t value[4][4]) {
  for (uint32_t i = 0; i < footprint.texels; i++) {
    if (i == footprint.missing) continue;
    if (!footprint.in_memory(i))
      border_texel(view, sampler, plan.kind == TexturePlan::Kind::kFetch, value[i]);
    else if (view.block_format)
      decode_block_texel(*view.format, view.layout, texel[i], footprint.in_block[i], value[i]);
    else decode_texel(*view.format, view.layout, texel[i], value[i]);
    if (plan.compare) {
      const bool pass =
          passes(*view.format, plan.compare, plan.lane[lane].reference, bits_float(value[i][0]));
      value[i][0] = pass ? kFloatOne : 0;
      value[i][1] = value[i][2] = 0;
      value[i][3] = kFloatOne;
    }
  }
  if (footprint.missing == kNoTexel) return;
  // Integers cannot be averaged.
  if (view.format->is_integer()) std::memcpy(value[footprint.missing], value[footprint.missing ^ 1], 16);
  else mean_of_others(footprint.missing, value);
}

Float4 filter_texels(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                     uint32_t lane, const FootprintShape& footprint, const std::byte* const texel[4]) {
  uint32_t value[4][4];
  if (footprint.texels == 1 && footprint.in_memory(0) && !plan.compare && !view.block_format)
    decode_texel(*view.format, view.layout, texel[0], value[0]);
  else read_texels(view, sampler, plan, lane, footprint, texel, value);
  if (footprint.texels == 1) return load4(value[0]);
  const float wu = static_cast<float>(footprint.fraction_u) / 256;
  const float wv = static_cast<float>(footprint.fraction_v) / 256;
  const Float4 upper = lerp(load4(value[0]), load4(value[1]), wu);
  return wv != 0 ? lerp(upper, lerp(load4(value[2]), load4(value[3]), wu), wv) : upper;
}

uint32_t constant_one(const TextureView& view) { return view.format->is_integer() ? 1 : kFloatOne; }

// Applies a field of the view's swizzle to a texel: 4 and 5 are constants.
uint32_t swizzled(const TextureView& view, uint32_t component, const uint32_t texel[4]) {
  const uint32_t select = view.surface.swizzle >> (4 * component) & 15;
  if (select < 4) return texel[select];
  return select == 5 ? constant_one(view) : 0;
}

// Vulkan "Texel Gathering": lower left, lower right, upper right, upper left.
void gather(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan, uint32_t lane,
            const FootprintShape& footprint, const std::byte* const texel[4], uint32_t out[4]) {
  constexpr uint32_t kOrder[4] = {2, 3, 1, 0};
  uint32_t value[4][4];
  read_texels(view, sampler, plan, lane, footprint, texel, value);
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t* const from = value[kOrder[i]];
    out[i] = plan.compare ? from[0] : swizzled(view, plan.component, from);
  }
}

// Adds a filtered sample to the mean of its level's probes, or mixes it with the other slice; a level that is
// complete is mixed with the one before it.
void accumulate(const TexturePlan& plan, uint32_t lane, uint32_t k, const FootprintShape& footprint,
                Float4 value, TexelAccumulator& accumulator) {
  const LanePlan& from = plan.lane[lane];
  const uint32_t slices = plan.slices(lane);
  if (slices == 2) {
    if (k % 2 == 0) return store4(accumulator.first_slice, value);
    const float weight = static_cast<float>(footprint.fraction_w) / 256;
    value = lerp(load4(accumulator.first_slice), value, weight);
  }
  const uint32_t place = slices == 1 ? k : k / slices, probe = from.probes == 1 ? 0 : place % from.probes;
  if (from.probes > 1) {  // the mean so far: equal values give exactly that value
    if (probe > 0) value = lerp(load4(accumulator.mean), value, 1 / static_cast<float>(probe + 1));
    store4(accumulator.mean, value);
    if (probe + 1u < from.probes) return;
  }
  if (place >= from.probes)
    value = lerp(load4(accumulator.value), value, static_cast<float>(from.level_fraction) / 256);
  store4(accumulator.value, value);
}

bool is_unorm8(const TextureView& view) {
  return view.layout == TexelLayout::kBgra8Unorm || view.layout == TexelLayout::kRgba8Unorm;
}

// Filters a quad of any format lane by lane.
void filter_lanes(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                  const FetchedQuad& quad, std::array<TexelAccumulator, kQuadLanes>& accumulators) {
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    const FootprintShape shape = quad.shape->of_lane(lane);
    FetchedSample sample{lane, quad.k, &shape, {}};
    for (uint32_t i = 0; i < 4; i++) sample.texel[i] = quad.texel(4 * lane + i);
    filter_samples(view, sampler, plan, {&sample, 1}, accumulators);
  }
}

Float4 blue_first(Float4 value) { return __builtin_shufflevector(value, value, 2, 1, 0, 3); }

}  // namespace

void filter_samples(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                    std::span<const FetchedSample> samples,
                    std::array<TexelAccumulator, kQuadLanes>& accumulators) {
  const bool bgra = view.layout == TexelLayout::kBgra8Unorm, unorm8 = is_unorm8(view) && !plan.compare;
  for (const FetchedSample& sample : samples) {
    const FootprintShape& footprint = *sample.shape;
    TexelAccumulator& accumulator = accumulators[sample.lane];
    if (plan.gather) {
      gather(view, sampler, plan, sample.lane, footprint, sample.texel, accumulator.value);
      continue;
    }
    Float4 value;
    if (unorm8 && footprint.texels == 4 && footprint.border == 0) {
      value = filter_unorm8(footprint, sample.texel);
      if (bgra) value = blue_first(value);
    } else {
      value = filter_texels(view, sampler, plan, sample.lane, footprint, sample.texel);
    }
    accumulate(plan, sample.lane, sample.k, footprint, value, accumulator);
  }
}

void filter_quad(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                 const FetchedQuad& quad, std::array<TexelAccumulator, kQuadLanes>& accumulators) {
  if (!is_unorm8(view) || plan.compare || plan.lane[0].probes > 1) {
    filter_lanes(view, sampler, plan, quad, accumulators);
    return;
  }
  Float4 value[kQuadLanes];
  filter_unorm8_quad(quad, value);
  const bool bgra = view.layout == TexelLayout::kBgra8Unorm;
  const float weight = static_cast<float>(plan.lane[0].level_fraction) / 256;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (bgra) value[lane] = blue_first(value[lane]);
    uint32_t(&so_far)[4] = accumulators[lane].value;
    store4(so_far, quad.k == 0 ? value[lane] : lerp(load4(so_far), value[lane], weight));
  }
}

void finish_texture(const TextureView& view, const TexturePlan& plan,
                    const std::array<TexelAccumulator, kQuadLanes>& accumulators, QuadResult& result) {
  if (plan.kind == TexturePlan::Kind::kImmediate) {
    for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
      const LanePlan& of = plan.lane[lane];
      const uint32_t value[4] = {of.u, of.v, of.w, of.layer};
      for (uint32_t c = 0; c < 4; c++) result.value[c][lane] = value[c];
    }
    return;
  }
  const Int4 bit = {1, 2, 4, 8}, active = (Int4)((bit & (Int4{} + plan.lane_mask)) != 0);
  Float4 component[4];
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) component[lane] = load4(accumulators[lane].value);
  transpose(component);
  const auto one = static_cast<int32_t>(constant_one(view));
  for (uint32_t c = 0; c < 4; c++) {
    const uint32_t select = plan.gather ? c : view.surface.swizzle >> (4 * c) & 15;
    const Int4 value = select < 4 ? (Int4)component[select] : Int4{} + (select == 5 ? one : 0);
    store4(result.value[c], (Float4)(value & active));
  }
}

}  // namespace cutaway::func
