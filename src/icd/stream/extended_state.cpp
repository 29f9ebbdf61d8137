#include "icd/stream/extended_state.h"

#include <bit>

#include "icd/api_error.h"

namespace cutaway::icd {
namespace {

void join_raster(const RasterState& commands, uint64_t dynamic, RasterState& joined) {
  if (dynamic & kDynamicDepthClamp) joined.depth_clamp = commands.depth_clamp;
  if (dynamic & kDynamicDepthClip) joined.depth_clip = commands.depth_clip, joined.clip_follows_clamp = false;
  if (dynamic & kDynamicDepthRange) joined.from_minus_one = commands.from_minus_one;
  if (dynamic & kDynamicPolygonMode) joined.polygon_mode = commands.polygon_mode;
  if (dynamic & kDynamicProvokingVertex) joined.provoking_vertex = commands.provoking_vertex;
  if (dynamic & kDynamicLineMode) joined.line_mode = commands.line_mode;
  if (dynamic & kDynamicLineStippleOn) joined.stippled = commands.stippled;
  if (dynamic & kDynamicLineStipple) joined.line_stipple = commands.line_stipple;
  if (dynamic & kDynamicDomainOrigin) joined.domain_origin = commands.domain_origin;
}

void join_samples(const SampleState& commands, uint64_t dynamic, SampleState& joined) {
  if (dynamic & kDynamicSamples) joined.samples = commands.samples;
  if (dynamic & kDynamicSampleMask) joined.mask = commands.mask;
  if (dynamic & kDynamicAlphaToCoverage) joined.alpha_to_coverage = commands.alpha_to_coverage;
  if (dynamic & kDynamicAlphaToOne) joined.alpha_to_one = commands.alpha_to_one;
}

void join_colors(const ColorState& commands, uint64_t dynamic, ColorState& joined) {
  if (dynamic & kDynamicLogicOpOn) joined.logic_op_on = commands.logic_op_on;
  if (dynamic & kDynamicLogicOp) joined.logic_op = commands.logic_op;
  if (!(dynamic & kDynamicBlending)) return;
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    const ColorState::Target& from = commands.target[i];
    ColorState::Target& to = joined.target[i];
    if (dynamic & kDynamicBlendOn) to.blend = from.blend;
    if (dynamic & kDynamicBlendEquation) to.equation = from.equation;
    if (dynamic & kDynamicWriteMask) to.write_mask = from.write_mask;
  }
}

void apply_equation(const VkColorBlendEquationEXT& from, arch::ColorTarget& to) {
  to.color_source = static_cast<uint32_t>(from.srcColorBlendFactor);
  to.color_destination = static_cast<uint32_t>(from.dstColorBlendFactor);
  to.color_op = static_cast<uint32_t>(from.colorBlendOp);
  to.alpha_source = static_cast<uint32_t>(from.srcAlphaBlendFactor);
  to.alpha_destination = static_cast<uint32_t>(from.dstAlphaBlendFactor);
  to.alpha_op = static_cast<uint32_t>(from.alphaBlendOp);
}

}  // namespace

ExtendedState join(const ExtendedState& pipeline, const ExtendedState& commands, uint64_t dynamic) {
  ExtendedState joined = pipeline;
  join_raster(commands.raster, dynamic, joined.raster);
  join_samples(commands.samples, dynamic, joined.samples);
  join_colors(commands.colors, dynamic, joined.colors);
  return joined;
}

void apply(const RasterState& state, arch::Registers& registers) {
  auto& raster = registers.raster;
  const bool clips = state.clip_follows_clamp ? !state.depth_clamp : state.depth_clip;
  raster.depth_clamp = state.depth_clamp;
  raster.depth_clip = (clips ? uint32_t{arch::kClipDepth} : 0) |
                      (state.from_minus_one ? uint32_t{arch::kClipFromMinusOne} : 0);
  raster.polygon_mode = static_cast<uint32_t>(state.polygon_mode);
  raster.line_mode = static_cast<uint32_t>(state.line_mode);
  raster.line_stipple = state.stippled ? state.line_stipple : 0;
  registers.assembly.provoking_vertex = static_cast<uint32_t>(state.provoking_vertex);
}

void apply(const SampleState& state, arch::Registers& registers) {
  auto& raster = registers.raster;
  raster.samples = static_cast<uint32_t>(state.samples);
  raster.sample_mask = state.mask;
  raster.alpha_to_coverage = state.alpha_to_coverage;
  raster.alpha_to_one = state.alpha_to_one;
}

void apply(const ColorState& state, arch::Registers& registers) {
  registers.color.logic_op_enable = state.logic_op_on;
  registers.color.logic_op = state.logic_op_on ? static_cast<uint32_t>(state.logic_op) : 0;
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    if (!(state.used >> i & 1)) continue;
    arch::ColorTarget& to = registers.color.target[i];
    to.blend = state.target[i].blend;
    apply_equation(to.blend ? state.target[i].equation : VkColorBlendEquationEXT{}, to);
    to.write_mask = state.writable >> i & 1 ? state.target[i].write_mask : 0;
  }
}

void check(VkPolygonMode mode) {
  if (mode > VK_POLYGON_MODE_POINT) unsupported("polygon mode {}", static_cast<int>(mode));
}

bool counts_samples(VkSampleCountFlagBits samples) {
  return (kSampleCounts & samples) && std::has_single_bit(static_cast<uint32_t>(samples));
}

void check(VkSampleCountFlagBits samples) {
  if (!counts_samples(samples)) unsupported("a pipeline of {} samples per pixel", static_cast<int>(samples));
}

void check(const VkColorBlendEquationEXT& equation) {
  if (equation.colorBlendOp > VK_BLEND_OP_MAX || equation.alphaBlendOp > VK_BLEND_OP_MAX)
    unsupported("an advanced blend operation");
}

}  // namespace cutaway::icd
