#pragma once

#include "arch/registers.h"
#include "icd/device/limits.h"
#include "icd/stream/dynamic_bits.h"

// State that VK_EXT_extended_dynamic_state3 lets a pipeline leave dynamic. Registers follow from several
// parts of it. A pipeline has its own values, a command buffer those that commands set; join() makes one of
// both, and apply() sets registers by it, whether any of it is dynamic or not.
namespace cutaway::icd {

struct RasterState {
  bool depth_clamp = false;
  // follows: primitives are clipped unless depths are clamped (no VK_EXT_depth_clip_enable).
  bool depth_clip = true, clip_follows_clamp = true;
  bool from_minus_one = false;  // depths of clip space (VK_EXT_depth_clip_control)
  VkPolygonMode polygon_mode = VK_POLYGON_MODE_FILL;
  VkProvokingVertexModeEXT provoking_vertex = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
  VkLineRasterizationModeEXT line_mode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
  bool stippled = false;
  uint32_t line_stipple = 0;  // register value, used if stippled
  VkTessellationDomainOrigin domain_origin = VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
};

struct SampleState {
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t mask = 0xffffffff;
  bool alpha_to_coverage = false, alpha_to_one = false;
  float least_shading = 0;  // minSampleShading; 0: no sample shading

  // "Sample Shading": at least max(ceil(minSampleShading × rasterizationSamples), 1) invocations; this GPU
  // runs one or all.
  bool shades_samples() const { return least_shading * static_cast<float>(samples) > 1; }
};

struct ColorState {
  struct Target {
    bool blend = false;
    VkColorBlendEquationEXT equation{};
    VkColorComponentFlags write_mask = 0;
  };
  Target target[arch::kColorTargets];
  bool logic_op_on = false;
  VkLogicOp logic_op = VK_LOGIC_OP_CLEAR;
  // A bit for each target, of the pipeline alone: the subpass has it; VK_EXT_color_write_enable leaves it on.
  uint32_t used = 0, writable = kAllColorTargets;
};

struct ExtendedState {
  RasterState raster;
  SampleState samples;
  ColorState colors;
};

// The pipeline's state with what it leaves dynamic (DynamicBits) taken from the commands' state.
ExtendedState join(const ExtendedState& pipeline, const ExtendedState& commands, uint64_t dynamic);

// Sets registers, but for raster.sample_shading and tessellation.clockwise, which depend on programs too.
void apply(const RasterState& state, arch::Registers& registers);
void apply(const SampleState& state, arch::Registers& registers);
void apply(const ColorState& state, arch::Registers& registers);

// True if the machine has pixels of so many samples.
bool counts_samples(VkSampleCountFlagBits samples);

// ApiError: the machine does not have this value.
void check(VkPolygonMode mode);
void check(VkSampleCountFlagBits samples);
void check(const VkColorBlendEquationEXT& equation);

}  // namespace cutaway::icd
