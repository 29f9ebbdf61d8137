#include "func/texture/wide_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "func/format/numeric.h"
#include "func/texture/cube.h"
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

bool set_levels(const TextureView& view, uint32_t layers, WideTexture& out) {
  out.levels = view.levels;
  out.address = view.slice_address(0, 0);
  const uint64_t beyond = layers > 1 ? (layers - 1) * view.layer_pitch : 0;
  for (uint32_t i = 0; i < view.levels; i++) {
    const arch::LevelLayout& level = view.level[i];
    const uint64_t offset = level.offset - view.level[0].offset;
    const uint64_t end = out.buffer ? uint64_t{level.width} * out.element_bytes
                                    : offset + level.depth * level.slice_pitch + beyond;
    if (end >> 32 || level.row_pitch >> 32) return false;
    out.bytes = end;
    out.level.width_float[i] = static_cast<float>(level.width);
    out.level.height_float[i] = static_cast<float>(level.height);
    out.level.depth_float[i] = static_cast<float>(level.depth);
    out.level.width[i] = static_cast<int32_t>(level.width);
    out.level.height[i] = static_cast<int32_t>(level.height);
    out.level.depth[i] = static_cast<int32_t>(level.depth);
    out.level.offset[i] = static_cast<uint32_t>(offset);
    out.level.pitch[i] = static_cast<uint32_t>(level.row_pitch);
    out.level.slice_pitch[i] = static_cast<uint32_t>(level.slice_pitch);
  }
  // Elements must not cross a page.
  uint64_t alignment = out.address | (layers > 1 ? view.layer_pitch : 0);
  if (!view.tiled)
    alignment |= out.level.pitch[0] | (view.level[0].depth > 1 ? view.level[0].slice_pitch : 0);
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

bool can_be_wide(const TextureView& view, const isa::Access& access, isa::Opcode op) {
  using isa::Opcode;
  const bool filters = op == Opcode::kTex || op == Opcode::kTxp || op == Opcode::kTxb || op == Opcode::kTxl ||
                       op == Opcode::kTxd;
  if (!filters && op != Opcode::kTxf) return false;
  if (filters && view.format && view.format->is_integer()) return false;
  if (op == Opcode::kTxf && access.dim == isa::TextureDim::kCube) return false;
  const bool buffer = access.dim == isa::TextureDim::kBuffer;
  return view.valid && view.levels && view.layers && view.layout != TexelLayout::kNone &&
         is_buffer(view.surface.surface_type()) == buffer && (!buffer || op == Opcode::kTxf) &&
         view.surface.samples() == 1;
}

bool set_dimensions(const TextureView& view, isa::TextureDim dim, WideTexture& out) {
  using enum isa::TextureDim;
  out.array = dim == k1DArray || dim == k2DArray || dim == kCubeArray;
  out.cube = dim == kCube || dim == kCubeArray;
  out.buffer = dim == kBuffer;
  out.dimensions = dim == k1D || dim == k1DArray || out.buffer ? 1 : dim == k3D ? 3 : 2;
  if (!out.array && !out.cube && !out.buffer && dim != k1D && dim != k2D && dim != k3D) return false;
  if (out.cube && (view.layers < kCubeFaces || view.level[0].width != view.level[0].height)) return false;
  if (view.layer_pitch >> 32) return false;
  const auto pitch = static_cast<uint32_t>(view.layer_pitch);
  if (out.cube) out.face_pitch = pitch;
  if (!out.array) return true;
  out.layers = out.cube ? view.layers / kCubeFaces : view.layers;
  out.layer_pitch = out.cube ? kCubeFaces * pitch : pitch;
  return true;
}

void set_sampler(const TextureView& view, const arch::Sampler& sampler, isa::Opcode op, WideTexture& out) {
  using isa::Opcode;
  if (out.fetch) return;
  if (!out.texel_units && out.dimensions < 3)
    out.max_anisotropy = std::clamp(sampler.max_anisotropy, 1u, kMaxAnisotropy);
  const auto mip = static_cast<arch::MipMode>(sampler.mip_mode);
  out.needs_lod = !out.texel_units && (sampler.mag_filter != sampler.min_filter || out.max_anisotropy > 1 ||
                                       (view.levels > 1 && mip != arch::MipMode::kBase));
  out.lod = op == Opcode::kTxb   ? WideTexture::Lod::kBiased
            : op == Opcode::kTxl ? WideTexture::Lod::kExplicit
            : op == Opcode::kTxd ? WideTexture::Lod::kGradients
                                 : WideTexture::Lod::kImplicit;
  out.mip_linear = mip == arch::MipMode::kLinear;
  out.mip_nearest = mip == arch::MipMode::kNearest;
  out.linear[0] = is_linear(sampler.mag_filter);
  out.linear[1] = is_linear(sampler.min_filter);
  out.sampler_bias = sampler.lod_bias;
  out.lod_bias = clamped_bias(sampler.lod_bias);
  out.min_lod = sampler.min_lod;
  out.max_lod = sampler.max_lod;
  const bool limits = out.min_lod == out.min_lod && out.max_lod == out.max_lod;  // no NaN
  out.estimates = out.max_anisotropy == 1 && out.linear[0] == out.linear[1] && limits &&
                  (out.mip_linear || out.mip_nearest);
}

bool can_sample_windows(const WideTexture& t) {
  const auto simple = [](const WideTexture::Axis& axis) {
    return axis.clamps() || (axis.repeats() && axis.powers_of_two);
  };
  return t.plain && !t.compare && !t.texel_units && t.linear[0] && t.linear[1] && t.max_anisotropy == 1 &&
         (!t.needs_lod || (t.estimates && t.lod == WideTexture::Lod::kImplicit)) && simple(t.axis[0]) &&
         simple(t.axis[1]) && t.level.width[0] + 2 < 1 << 15 && t.level.height[0] < 1 << 15;
}

void set_window(const WideTexture& t, WindowTables& out) {
  out.possible = can_sample_windows(t);
  if (!out.possible) return;
  const double units = t.mip_linear ? 256 : 1;
  const auto rounded = [&](double lod) {  // as levels are
    return static_cast<int32_t>(std::lrint(std::clamp(lod, 0.0, t.levels - 1.0) * units));
  };
  out.half_units = static_cast<float>(units / 2), out.bias = static_cast<float>(t.lod_bias * units);
  if (t.estimates) out.lowest = rounded(t.min_lod), out.highest = rounded(t.max_lod);
  constexpr uint32_t kHalf = 0xffff;
  for (uint32_t i = 0; i < 2; i++) {
    // Clamping takes places of 16 bits: positions that need more are too far away.
    out.far[i] = t.axis[i].repeats() ? 1u << 31 : ~0u << 23;
    out.shift[i] = static_cast<uint32_t>(256 * t.axis[i].offset - 128);
  }
  for (uint32_t level = 0; level < t.levels; level++) {
    const auto column = static_cast<uint32_t>(t.level.width[level] - 1);
    const auto row = static_cast<uint32_t>(t.level.height[level] - 1);
    out.scale[0][level] = 512 * t.level.width_float[level],
    out.scale[1][level] = 512 * t.level.height_float[level];
    out.mask[level] = (t.axis[1].repeats() ? row : kHalf) << 16 | (t.axis[0].repeats() ? column : kHalf);
    out.last[level] = row << 16 | column;
  }
}

// Finds the operand that holds the reference: depth_reference of sample.cpp.
void set_comparison(const TextureView& view, const arch::Sampler& sampler, isa::Opcode op, WideTexture& out) {
  out.compare = std::min(sampler.compare, 255u);
  out.unit_reference = view.format->kind == arch::NumericKind::kUnorm;
  out.reference_source = out.cube && out.array;
  out.reference_component = out.projective ? 2 : out.reference_source && op != isa::Opcode::kTxd ? 1 : 3;
  if (out.texel == WideTexel::kUnorm8) out.texel = WideTexel::kDecoded;
}

}  // namespace

WideTexture make_wide_texture(const TextureView& view, const arch::Sampler& sampler,
                              const isa::Access& access, isa::Opcode op) {
  WideTexture out;
  if (!can_be_wide(view, access, op) || !set_dimensions(view, access.dim, out)) return out;
  out.fetch = op == isa::Opcode::kTxf;
  out.projective = op == isa::Opcode::kTxp;
  out.texel_units = sampler.unnormalized();
  if (out.cube && (out.projective || out.texel_units || access.offset != decltype(access.offset){}))
    return out;
  out.element_bytes = view.texel_bytes;
  out.tiled = view.tiled;
  out.block_format = view.block_format;
  const uint32_t layers = out.array || out.cube ? view.layers : 1;
  if (!std::has_single_bit(out.element_bytes) || !set_levels(view, layers, out)) return out;
  set_texel(view, out);
  set_sampler(view, sampler, op, out);
  if (access.shadow && sampler.compare) set_comparison(view, sampler, op, out);
  out.seamless = out.cube && !sampler.separate_faces();
  const uint32_t wrap[3] = {sampler.wrap_u, sampler.wrap_v, sampler.wrap_w};
  const uint32_t size[3] = {view.level[0].width, view.level[0].height, view.level[0].depth};
  for (uint32_t i = 0; i < 3; i++)
    out.axis[i] = {out.seamless ? static_cast<uint32_t>(arch::Wrap::kClampToEdge) : wrap[i],
                   std::has_single_bit(size[i]), access.offset[i]};
  out.swizzle = view.surface.swizzle;
  out.plain = out.dimensions == 2 && !out.cube && !out.array && !out.fetch;
  out.one = view.format->is_integer() ? 1 : kFloatOne;
  set_window(out, out.window);
  out.possible = true;
  return out;
}

const WideFunctions& wide_functions(AluPath path) {
  return of_path(path, portable::wide_functions, avx2::wide_functions, avx512::wide_functions)();
}

void plan_wide(const WideTexture& texture, const WideOperands& operands, WidePlan& plan) {
  static const auto function = wide_functions(AluPath::kBest).plan;
  function(texture, operands, plan);
}

void footprint_wide(const WideTexture& texture, uint32_t level, uint32_t probe, WidePlan& plan,
                    WideFootprint& footprint) {
  static const auto function = wide_functions(AluPath::kBest).footprint;
  function(texture, level, probe, plan, footprint);
}

bool fetch_words(const WidePages& pages, uint32_t words, uint32_t texels, uint32_t quads,
                 const WideFootprint& footprint, WideTexels& out) {
  static const auto function = wide_functions(AluPath::kBest).fetch;
  return function(pages, words, texels, quads, footprint, out);
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

bool sample_bilinear(const WideTexture& texture, const WidePages& pages, uint32_t active, WidePlan& plan,
                     uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).bilinear;
  return function(texture, pages, active, plan, result);
}

void sample_copy(const WideTexture& texture, const TexelRows& copy, uint32_t active, WidePlan& plan,
                 uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).copy;
  function(texture, copy, active, plan, result);
}

bool sample_window(const WideTexture& texture, const TexelRows& copy, const WideOperands& operands,
                   uint32_t& expected_level, WidePlan& plan, uint32_t result[4][kWideLanes]) {
  static const auto function = wide_functions(AluPath::kBest).window;
  return function(texture, copy, operands, expected_level, plan, result);
}

}  // namespace cutaway::func
