// Blending of whole groups. wide_blend_portable.cpp and wide_blend_avx2.cpp define CUTAWAY_ALU, then include
// this. Every operation equals that of blend.cpp on the same values.
#ifndef CUTAWAY_ALU
#error "wide_blend_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/rop/wide_blend.h"
#include "func/shader/lanes8.h"

namespace cutaway::func::CUTAWAY_ALU {

struct Colors {
  F8 source[4], destination[4];
  float constant[4];
};

// Component c of a factor; c = 3 is the alpha factor.
CUTAWAY_INLINE F8 blend_factor(uint8_t factor, const Colors& in, uint32_t c) {
  switch (static_cast<arch::BlendFactor>(factor)) {
    case arch::BlendFactor::kOne:
      return all(1);
    case arch::BlendFactor::kSrcColor:
      return in.source[c];
    case arch::BlendFactor::kOneMinusSrcColor:
      return 1.0f - in.source[c];
    case arch::BlendFactor::kDstColor:
      return in.destination[c];
    case arch::BlendFactor::kOneMinusDstColor:
      return 1.0f - in.destination[c];
    case arch::BlendFactor::kSrcAlpha:
      return in.source[3];
    case arch::BlendFactor::kOneMinusSrcAlpha:
      return 1.0f - in.source[3];
    case arch::BlendFactor::kDstAlpha:
      return in.destination[3];
    case arch::BlendFactor::kOneMinusDstAlpha:
      return 1.0f - in.destination[3];
    case arch::BlendFactor::kConstantColor:
      return all(in.constant[c]);
    case arch::BlendFactor::kOneMinusConstantColor:
      return all(1 - in.constant[c]);
    case arch::BlendFactor::kConstantAlpha:
      return all(in.constant[3]);
    case arch::BlendFactor::kOneMinusConstantAlpha:
      return all(1 - in.constant[3]);
    case arch::BlendFactor::kSrcAlphaSaturate: {
      const F8 room = 1.0f - in.destination[3];
      return c == 3 ? all(1) : choose((I8)(in.source[3] < room), in.source[3], room);
    }
    default:
      return F8{};
  }
}

CUTAWAY_INLINE F8 blended(uint8_t op, uint8_t source_factor, uint8_t destination_factor, const Colors& in,
                          uint32_t c) {
  const F8 s = in.source[c], d = in.destination[c];
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kMin) return choose((I8)(s < d), s, d);
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kMax) return choose((I8)(s > d), s, d);
  const F8 first = s * blend_factor(source_factor, in, c);
  const F8 second = d * blend_factor(destination_factor, in, c);
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kSubtract) return first - second;
  if (static_cast<arch::BlendOp>(op) == arch::BlendOp::kReverseSubtract) return second - first;
  return first + second;
}

CUTAWAY_INLINE void blend(const TargetState& target, Colors& in, F8 value[4]) {
  for (uint32_t c = 0; c < 4; c++) in.constant[c] = target.constant.data()[c];
  for (uint32_t c = 0; c < 3; c++)
    value[c] = blended(target.color_op, target.color_source, target.color_destination, in, c);
  value[3] = blended(target.alpha_op, target.alpha_source, target.alpha_destination, in, 3);
}

CUTAWAY_INLINE void write_unorm8(const TargetState& target, F8 value[4], uint32_t* element) {
  const bool bgra = target.layout == TexelLayout::kBgra8Unorm;
  const uint32_t shift[4] = {bgra ? 16u : 0u, 8, bgra ? 0u : 16u, 24};
  if (target.blend) {
    Colors in;
    const U8 stored = target.reads_destination ? load8(element) : U8{};
    for (uint32_t c = 0; c < 4; c++) {
      in.source[c] = unit(value[c]);
      in.destination[c] = to_float((I8)(stored >> shift[c] & 255)) / 255.0f;
    }
    blend(target, in, value);
  }
  U8 word{};
  for (uint32_t c = 0; c < 4; c++) word |= to_unorm(value[c], 255.0) << shift[c];
  store8(element, word);
}

// Returns false if some result of blending is NaN.
CUTAWAY_INLINE bool write_halves(const TargetState& target, F8 value[4], uint32_t* element) {
  I8 number = I8{} - 1;
  if (target.blend) {
    Colors in{};
    for (uint32_t c = 0; c < 4; c++) in.source[c] = value[c];
    if (target.reads_destination) {
      const U8 first = load8(element), second = load8(element + 8);
      const U8 low = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
      const U8 high = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
      in.destination[0] = half_to_float(low & 0xffff), in.destination[1] = half_to_float(low >> 16);
      in.destination[2] = half_to_float(high & 0xffff), in.destination[3] = half_to_float(high >> 16);
    }
    blend(target, in, value);
    for (uint32_t c = 0; c < 4; c++) number &= (I8)(value[c] == value[c]);
  }
  const U8 low = float_to_half(value[0]) | float_to_half(value[1]) << 16;
  const U8 high = float_to_half(value[2]) | float_to_half(value[3]) << 16;
  store8(element, __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11));
  store8(element + 8, __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15));
  return mask_of(number) == 255;
}

inline bool blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                       uint32_t* element) {
  const bool halves = target.layout == TexelLayout::kRgba16Float;
  for (uint32_t lane = 0; lane < lanes; lane += 8) {
    F8 value[4];
    for (uint32_t c = 0; c < 4; c++) value[c] = (F8)load8(source[c] + lane);
    if (!halves) write_unorm8(target, value, element + lane);
    else if (!write_halves(target, value, element + 2 * lane)) return false;
  }
  return true;
}

}  // namespace cutaway::func::CUTAWAY_ALU
