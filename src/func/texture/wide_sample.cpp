#include "func/texture/wide_sample.h"

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
  return alignment % out.texel_bytes == 0;
}

}  // namespace

WideTexture make_wide_texture(const TextureView& view, const arch::Sampler& sampler,
                              const isa::Access& access, isa::Opcode op) {
  WideTexture out;
  const bool simple = (op == isa::Opcode::kTex || op == isa::Opcode::kTxp) && !access.shadow &&
                      access.dim == isa::TextureDim::k2D && access.offset == decltype(access.offset){} &&
                      sampler.max_anisotropy <= 1 && !sampler.unnormalized();
  if (!simple || !view.valid || view.levels == 0 || view.layout == TexelLayout::kNone) return out;
  if (view.block_format || is_buffer(view.surface.surface_type())) return out;
  if (view.format->is_integer() || view.surface.samples() != 1 || view.layers == 0) return out;
  out.texel_bytes = view.texel_bytes;
  out.tiled = view.tiled;
  if (!std::has_single_bit(out.texel_bytes) || !set_levels(view, out)) return out;
  out.unorm8 = view.layout == TexelLayout::kRgba8Unorm || view.layout == TexelLayout::kBgra8Unorm;
  out.bgra = view.layout == TexelLayout::kBgra8Unorm;
  out.projective = op == isa::Opcode::kTxp;
  const auto mip = static_cast<arch::MipMode>(sampler.mip_mode);
  out.needs_lod =
      sampler.mag_filter != sampler.min_filter || (view.levels > 1 && mip != arch::MipMode::kBase);
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

void filter_wide_unorm8(const WideTexture& texture, const WidePlan& plan,
                        const uint32_t texel[2][4][kWideLanes], uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).filter_unorm8;
  function(texture, plan, texel, result);
}

void filter_wide(const WideTexture& texture, const WidePlan& plan, const uint32_t texel[2][4][4][kWideLanes],
                 uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).filter;
  function(texture, plan, texel, result);
}

}  // namespace cutaway::func
