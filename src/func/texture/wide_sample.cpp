#include "func/texture/wide_sample.h"

#include <algorithm>
#include <bit>

#include "func/texture/sample.h"
#include "func/texture/wide_tables.h"

namespace cutaway::func {
namespace {

double clamped_bias(double bias) {
  if (bias > kMaxLodBias) return kMaxLodBias;
  if (!(bias >= -kMaxLodBias)) return bias == bias ? -kMaxLodBias : 0;
  return bias;
}

bool is_linear(uint32_t filter) { return filter == static_cast<uint32_t>(arch::Filter::kLinear); }

bool set_levels(const TextureView& view, WideTexture& out) {
  out.levels = view.levels;
  out.address = view.slice_address(0, 0);
  for (uint32_t i = 0; i < view.levels; i++) {
    const arch::LevelLayout& level = view.level[i];
    const uint64_t offset = level.offset - view.level[0].offset;
    const uint64_t end = offset + level.slice_pitch;
    if (end >> 32 || level.row_pitch >> 32) return false;
    out.bytes = end;
    out.level[i] = {.width_float = static_cast<float>(level.width),
                    .height_float = static_cast<float>(level.height),
                    .width = static_cast<int32_t>(level.width),
                    .height = static_cast<int32_t>(level.height),
                    .offset = static_cast<uint32_t>(offset),
                    .pitch = static_cast<uint32_t>(level.row_pitch)};
  }
  // No element crosses a page.
  const uint64_t alignment = view.tiled ? out.address : out.address | out.level[0].pitch;
  return alignment % out.element_bytes == 0;
}

void set_texel(const TextureView& view, WideTexture& out) {
  const bool unorm = view.format->kind == arch::NumericKind::kUnorm;
  switch (view.layout) {
    case TexelLayout::kRgba8Unorm:
    case TexelLayout::kBgra8Unorm:
      out.texel = WideTexel::kUnorm8;
      out.bgra = view.layout == TexelLayout::kBgra8Unorm;
      return;
    case TexelLayout::kR8Unorm:
    case TexelLayout::kRg8Unorm:
      out.texel = WideTexel::kBytes;
      return;
    case TexelLayout::kRgba16Float:
      out.texel = WideTexel::kHalves;
      return;
    case TexelLayout::kBc1Rgb:
    case TexelLayout::kBc1Rgba:
      out.opaque = view.layout == TexelLayout::kBc1Rgb;
      if (unorm) out.texel = WideTexel::kBc1;
      return;
    case TexelLayout::kBc2:
    case TexelLayout::kBc3:
    case TexelLayout::kBc7:
      if (unorm) out.texel = WideTexel::kBytes;
      return;
    default:
      return;
  }
}

}  // namespace

WideTexture make_wide_texture(const TextureView& view, const arch::Sampler& sampler,
                              const isa::Access& access, isa::Opcode op) {
  WideTexture out;
  using isa::Opcode;
  if (access.shadow || access.dim != isa::TextureDim::k2D || access.offset != decltype(access.offset){})
    return out;
  if (op != Opcode::kTex && op != Opcode::kTxp && op != Opcode::kTxl) return out;
  if (!view.valid || view.levels == 0 || view.layout == TexelLayout::kNone) return out;
  if (is_buffer(view.surface.surface_type()) || view.format->is_integer() || view.surface.samples() != 1 ||
      view.layers == 0)
    return out;
  out.element_bytes = view.texel_bytes;
  out.tiled = view.tiled;
  out.block_format = view.block_format;
  if (!std::has_single_bit(out.element_bytes) || !set_levels(view, out)) return out;
  set_texel(view, out);
  out.projective = op == Opcode::kTxp;
  out.texel_units = sampler.unnormalized();
  if (!out.texel_units) out.max_anisotropy = std::clamp(sampler.max_anisotropy, 1u, kMaxAnisotropy);
  const auto mip = static_cast<arch::MipMode>(sampler.mip_mode);
  out.needs_lod = !out.texel_units && (sampler.mag_filter != sampler.min_filter || out.max_anisotropy > 1 ||
                                       (view.levels > 1 && mip != arch::MipMode::kBase));
  if (out.needs_lod && op == Opcode::kTxl) return out;
  out.mip_linear = mip == arch::MipMode::kLinear;
  out.mip_nearest = mip == arch::MipMode::kNearest;
  out.linear[0] = is_linear(sampler.mag_filter);
  out.linear[1] = is_linear(sampler.min_filter);
  out.axis[0] = {sampler.wrap_u, std::has_single_bit(view.level[0].width)};
  out.axis[1] = {sampler.wrap_v, std::has_single_bit(view.level[0].height)};
  out.lod_bias = clamped_bias(sampler.lod_bias);
  out.min_lod = sampler.min_lod;
  out.max_lod = sampler.max_lod;
  out.swizzle = view.surface.swizzle;
  out.possible = true;
  return out;
}

const WideFunctions& wide_functions(AluPath path) {
  if (path == AluPath::kBest) path = best_path();
  return path == AluPath::kAvx2 ? avx2::wide_functions() : portable::wide_functions();
}

void plan_wide(const WideTexture& texture, const uint32_t* u, const uint32_t* v, const uint32_t* q,
               WidePlan& plan) {
  static const auto function = wide_functions(AluPath::kBest).plan;
  function(texture, u, v, q, plan);
}

void footprint_wide(const WideTexture& texture, uint32_t level, uint32_t probe, WidePlan& plan,
                    WideFootprint& footprint) {
  static const auto function = wide_functions(AluPath::kBest).footprint;
  function(texture, level, probe, plan, footprint);
}

void filter_wide(const WideTexture& texture, const WidePlan& plan, uint32_t level, uint32_t probe,
                 const WideFootprint& footprint, const WideTexels& texels, WideAccumulator& accumulator) {
  static const auto function = wide_functions(AluPath::kBest).filter;
  function(texture, plan, level, probe, footprint, texels, accumulator);
}

void finish_wide(const WideTexture& texture, const WideAccumulator& accumulator,
                 uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).finish;
  function(texture, accumulator, result);
}

}  // namespace cutaway::func
