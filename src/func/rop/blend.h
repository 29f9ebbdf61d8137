#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arch/registers.h"
#include "func/format/texel.h"

// Blending, logic operations and write masks of one pixel of a color target (Vulkan "The Framebuffer").
//
// Fixed-point formats: sources and constants are clamped to [0, 1] (snorm: [-1, 1]) before blending, NaN to
// 0; the sum is clamped and rounded once, to the nearest, ties to even. Each product and the sum are rounded
// to floats: round(round(source × factor) + round(destination × factor)). sRGB targets blend linear values.
// Integer formats do not blend. Logic operations act on the bits of fixed-point and integer formats, and turn
// blending off.
namespace cutaway::func {

using ColorRegisters = decltype(arch::Registers::color);

// A target's registers with derived values that every pixel needs, computed once per state.
struct TargetState {
  const arch::FormatInfo* format = nullptr;
  TexelLayout layout = TexelLayout::kNone;
  bool enabled = false;  // some component may be written
  bool blend = false;
  bool logic = false;
  bool full_mask = false;  // every bit of an element is written
  bool reads_destination = false;
  bool dual_source = false;     // some factor uses the second source
  bool alpha_to_one = false;    // the sources' alpha is replaced by 1
  bool alpha_as_color = false;  // one equation for all components
  uint8_t bytes = 0;
  uint8_t color_source = 0, color_destination = 0, color_op = 0;  // arch::BlendFactor, arch::BlendOp
  uint8_t alpha_source = 0, alpha_destination = 0, alpha_op = 0;
  uint8_t logic_op = 0;
  float clamp_low = 0;  // clamped formats: 0 or -1
  bool clamped = false;
  std::array<float, 4> constant{};       // clamped to the format's range
  std::array<uint64_t, 2> write_bits{};  // bits of an element that the write mask selects
};
// alpha_to_one: raster.alpha_to_one. It sets the alpha of both sources to 1; integer targets ignore it.
TargetState make_target_state(const ColorRegisters& registers, uint32_t target, bool alpha_to_one = false);

// True if an element must be read before it can be written.
inline bool needs_destination(const TargetState& target) { return target.reads_destination; }

// source, source1: fragment outputs (bits of floats, or integers for integer formats); source1 is read only
// if the factors use it. element: in, the stored element if needs_destination; out, the new one.
void write_pixel(const TargetState& target, const uint32_t source[4], const uint32_t source1[4],
                 std::byte* element);

// Multiplies the alpha of a smooth line's output for the target by the line's coverage (func/raster/line.h).
// Integer formats keep it.
uint32_t smooth_alpha(const TargetState& target, uint32_t alpha, float coverage);

uint64_t logic_operation(arch::LogicOp op, uint64_t source, uint64_t destination);

}  // namespace cutaway::func
