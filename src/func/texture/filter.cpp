#include <algorithm>
#include <cstring>
#include <emmintrin.h>
#include <utility>

#include "func/format/block.h"
#include "func/format/numeric.h"
#include "func/texture/sample.h"

namespace cutaway::func {
namespace {

using Float4 = float __attribute__((vector_size(16)));

Float4 load_unorm8(const std::byte* texel) {  // four bytes as integers in floats
  int32_t bytes;
  std::memcpy(&bytes, texel, 4);
  const __m128i zero = _mm_setzero_si128();
  const __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), zero);
  return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
}

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

float lerp(float a, float b, float weight) { return weight != 0 ? a + weight * (b - a) : a; }

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

// a := a + weight (b - a)
void blend(uint32_t a[4], const uint32_t b[4], float weight) {
  for (uint32_t c = 0; c < 4; c++) a[c] = float_bits(lerp(bits_float(a[c]), bits_float(b[c]), weight));
}

// Four channels of 8 bits: the weighted sum is an integer of at most 24 bits, exact in a float; only the
// division rounds.
void filter_unorm8(const Footprint& footprint, const std::byte* const texel[4], bool bgra, uint32_t out[4]) {
  const int fu = footprint.fraction_u, fv = footprint.fraction_v;
  const auto weighted = [&](int i, int weight) { return load_unorm8(texel[i]) * static_cast<float>(weight); };
  const Float4 sum = weighted(0, (256 - fu) * (256 - fv)) + weighted(1, fu * (256 - fv)) +
                     weighted(2, (256 - fu) * fv) + weighted(3, fu * fv);
  const Float4 value = sum / (255.0f * 65536);
  std::memcpy(out, &value, sizeof value);
  if (bgra) std::swap(out[0], out[2]);
}

// Reads the texels of a footprint, compared with the reference if the plan says so.
void read_texels(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                 uint32_t lane, const Footprint& footprint, const std::byte* const texel[4],
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

void filter_texels(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                   uint32_t lane, const Footprint& footprint, const std::byte* const texel[4],
                   uint32_t out[4]) {
  if (footprint.texels == 1 && footprint.in_memory(0) && !plan.compare && !view.block_format)
    return decode_texel(*view.format, view.layout, texel[0], out);
  uint32_t value[4][4];
  read_texels(view, sampler, plan, lane, footprint, texel, value);
  if (footprint.texels == 1) {
    std::memcpy(out, value[0], sizeof value[0]);
    return;
  }
  const float wu = static_cast<float>(footprint.fraction_u) / 256;
  const float wv = static_cast<float>(footprint.fraction_v) / 256;
  for (uint32_t c = 0; c < 4; c++) {
    const auto row = [&](uint32_t i) {
      return lerp(bits_float(value[i][c]), bits_float(value[i + 1][c]), wu);
    };
    const float upper = row(0);
    out[c] = float_bits(wv != 0 ? lerp(upper, row(2), wv) : upper);
  }
}

// Applies a field of the view's swizzle to a texel: 4 and 5 are constants.
uint32_t swizzled(const TextureView& view, uint32_t component, const uint32_t texel[4]) {
  const uint32_t select = view.surface.swizzle >> (4 * component) & 15;
  if (select < 4) return texel[select];
  if (select != 5) return 0;
  return view.format->is_integer() ? 1 : kFloatOne;
}

// Vulkan "Texel Gathering": lower left, lower right, upper right, upper left.
void gather(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan, uint32_t lane,
            const Footprint& footprint, const std::byte* const texel[4], uint32_t out[4]) {
  constexpr uint32_t kOrder[4] = {2, 3, 1, 0};
  uint32_t value[4][4];
  read_texels(view, sampler, plan, lane, footprint, texel, value);
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t* const from = value[kOrder[i]];
    out[i] = plan.compare ? from[0] : swizzled(view, plan.component, from);
  }
}

}  // namespace

void filter_sample(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                   uint32_t lane, uint32_t k, const Footprint& footprint, const std::byte* const texel[4],
                   TexelAccumulator& accumulator) {
  if (plan.gather) return gather(view, sampler, plan, lane, footprint, texel, accumulator.value);
  const bool unorm8 = view.layout == TexelLayout::kRgba8Unorm || view.layout == TexelLayout::kBgra8Unorm;
  uint32_t value[4];
  if (unorm8 && footprint.texels == 4 && footprint.border == 0 && !plan.compare)
    filter_unorm8(footprint, texel, view.layout == TexelLayout::kBgra8Unorm, value);
  else filter_texels(view, sampler, plan, lane, footprint, texel, value);
  const LanePlan& from = plan.lane[lane];
  const uint32_t slices = plan.slices(lane);
  if (slices == 2) {
    if (k % 2 == 0) {
      std::memcpy(accumulator.first_slice, value, sizeof value);
      return;
    }
    blend(accumulator.first_slice, value, static_cast<float>(footprint.fraction_w) / 256);
    std::memcpy(value, accumulator.first_slice, sizeof value);
  }
  const uint32_t place = slices == 1 ? k : k / slices, probe = from.probes == 1 ? 0 : place % from.probes;
  if (from.probes > 1) {  // the mean so far: equal values give exactly that value
    if (probe == 0) std::memcpy(accumulator.mean, value, sizeof value);
    else blend(accumulator.mean, value, 1 / static_cast<float>(probe + 1));
    if (probe + 1u < from.probes) return;
    std::memcpy(value, accumulator.mean, sizeof value);
  }
  if (place < from.probes) std::memcpy(accumulator.value, value, sizeof value);
  else blend(accumulator.value, value, static_cast<float>(from.level_fraction) / 256);
}

void finish_texture(const TextureView& view, const TexturePlan& plan,
                    const std::array<TexelAccumulator, kQuadLanes>& accumulators, QuadResult& result) {
  if (plan.kind == TexturePlan::Kind::kImmediate) {
    result = plan.immediate;
    return;
  }
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    const bool active = plan.lane_mask >> lane & 1;
    for (uint32_t c = 0; c < 4; c++) {
      const uint32_t* const texel = accumulators[lane].value;
      const uint32_t value = plan.gather ? texel[c] : swizzled(view, c, texel);
      result.value[c][lane] = active ? value : 0;
    }
  }
}

}  // namespace cutaway::func
