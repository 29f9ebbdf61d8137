#include "func/rop/blend.h"

#include <cstring>

#include "func/format/numeric.h"

namespace cutaway::func {
namespace {

using arch::BlendFactor;
using arch::BlendOp;
using arch::FormatInfo;
using arch::NumericKind;

float clamp_value(const TargetState& target, float value) {
  if (!target.clamped) return value;
  return value > target.clamp_low    ? (value < 1 ? value : 1.0f)
         : value <= target.clamp_low ? target.clamp_low
                                     : 0;
}

float combine(BlendOp op, float source, float source_factor, float destination, float destination_factor) {
  switch (op) {
    case BlendOp::kAdd:
      return source * source_factor + destination * destination_factor;
    case BlendOp::kSubtract:
      return source * source_factor - destination * destination_factor;
    case BlendOp::kReverseSubtract:
      return destination * destination_factor - source * source_factor;
    case BlendOp::kMin:
      return source < destination ? source : destination;
    case BlendOp::kMax:
      return source > destination ? source : destination;
  }
  return source;
}

void blend_values(const TargetState& target, const uint32_t source_bits[4], const uint32_t source1_bits[4],
                  const std::byte* element, uint32_t out[4]) {
  float source[4], source1[4], destination[4];
  uint32_t stored[4] = {0, 0, 0, 0};  // what was not read must not matter: 0 × NaN is NaN
  if (target.reads_destination) decode_texel(*target.format, target.layout, element, stored);
  for (uint32_t c = 0; c < 4; c++) {
    source[c] = clamp_value(target, bits_float(source_bits[c]));
    source1[c] = clamp_value(target, bits_float(source1_bits[c]));
    destination[c] = bits_float(stored[c]);
  }
  const auto factor = [&](uint8_t which, uint32_t c) {
    return blend_factor(static_cast<BlendFactor>(which), c, source, source1, destination,
                        target.constant.data());
  };
  for (uint32_t c = 0; c < 4; c++) {
    const bool alpha = c == 3;
    const float source_factor = factor(alpha ? target.alpha_source : target.color_source, c);
    const float destination_factor = factor(alpha ? target.alpha_destination : target.color_destination, c);
    const auto op = static_cast<BlendOp>(alpha ? target.alpha_op : target.color_op);
    out[c] = float_bits(combine(op, source[c], source_factor, destination[c], destination_factor));
  }
}

bool reads_destination_factor(uint8_t factor) {
  switch (static_cast<BlendFactor>(factor)) {
    case BlendFactor::kDstColor:
    case BlendFactor::kOneMinusDstColor:
    case BlendFactor::kDstAlpha:
    case BlendFactor::kOneMinusDstAlpha:
    case BlendFactor::kSrcAlphaSaturate:
      return true;
    default:
      return false;
  }
}

// Source × 1 + destination × 0 is the source: such blending is off.
bool is_replace(uint8_t source, uint8_t destination, uint8_t op) {
  return static_cast<BlendFactor>(source) == BlendFactor::kOne &&
         static_cast<BlendFactor>(destination) == BlendFactor::kZero &&
         static_cast<BlendOp>(op) == BlendOp::kAdd;
}

bool blend_reads(uint8_t source, uint8_t destination, uint8_t op) {
  return static_cast<BlendFactor>(destination) != BlendFactor::kZero ||
         op > static_cast<uint8_t>(BlendOp::kAdd) || reads_destination_factor(source);
}

bool logic_reads(uint8_t op) {
  switch (static_cast<arch::LogicOp>(op)) {
    case arch::LogicOp::kClear:
    case arch::LogicOp::kCopy:
    case arch::LogicOp::kCopyInverted:
    case arch::LogicOp::kSet:
      return false;
    default:
      return true;
  }
}

void set_write_bits(const FormatInfo& format, uint32_t write_mask, TargetState& target) {
  std::array<uint64_t, 2> all{};
  for (uint32_t c = 0; c < 4; c++) {
    const FormatInfo::Channel channel = format.channel[c];
    if (!channel.bits) continue;
    const uint64_t bits = low_mask(channel.bits) << (channel.offset % 64);
    all[channel.offset / 64] |= bits;
    if (write_mask >> c & 1) target.write_bits[channel.offset / 64] |= bits;
  }
  target.full_mask = all == target.write_bits;
  target.enabled = target.write_bits[0] || target.write_bits[1];
}

}  // namespace

float blend_factor(BlendFactor factor, uint32_t c, const float source[4], const float source1[4],
                   const float destination[4], const float constant[4]) {
  switch (factor) {
    case BlendFactor::kZero:
      return 0;
    case BlendFactor::kOne:
      return 1;
    case BlendFactor::kSrcColor:
      return source[c];
    case BlendFactor::kOneMinusSrcColor:
      return 1 - source[c];
    case BlendFactor::kDstColor:
      return destination[c];
    case BlendFactor::kOneMinusDstColor:
      return 1 - destination[c];
    case BlendFactor::kSrcAlpha:
      return source[3];
    case BlendFactor::kOneMinusSrcAlpha:
      return 1 - source[3];
    case BlendFactor::kDstAlpha:
      return destination[3];
    case BlendFactor::kOneMinusDstAlpha:
      return 1 - destination[3];
    case BlendFactor::kConstantColor:
      return constant[c];
    case BlendFactor::kOneMinusConstantColor:
      return 1 - constant[c];
    case BlendFactor::kConstantAlpha:
      return constant[3];
    case BlendFactor::kOneMinusConstantAlpha:
      return 1 - constant[3];
    case BlendFactor::kSrcAlphaSaturate: {
      const float room = 1 - destination[3];
      return c == 3 ? 1 : source[3] < room ? source[3] : room;
    }
    case BlendFactor::kSrc1Color:
      return source1[c];
    case BlendFactor::kOneMinusSrc1Color:
      return 1 - source1[c];
    case BlendFactor::kSrc1Alpha:
      return source1[3];
    case BlendFactor::kOneMinusSrc1Alpha:
      return 1 - source1[3];
  }
  return 0;
}

uint64_t logic_operation(arch::LogicOp op, uint64_t s, uint64_t d) {
  switch (op) {
    case arch::LogicOp::kClear:
      return 0;
    case arch::LogicOp::kAnd:
      return s & d;
    case arch::LogicOp::kAndReverse:
      return s & ~d;
    case arch::LogicOp::kCopy:
      return s;
    case arch::LogicOp::kAndInverted:
      return ~s & d;
    case arch::LogicOp::kNoOp:
      return d;
    case arch::LogicOp::kXor:
      return s ^ d;
    case arch::LogicOp::kOr:
      return s | d;
    case arch::LogicOp::kNor:
      return ~(s | d);
    case arch::LogicOp::kEquivalent:
      return ~(s ^ d);
    case arch::LogicOp::kInvert:
      return ~d;
    case arch::LogicOp::kOrReverse:
      return s | ~d;
    case arch::LogicOp::kCopyInverted:
      return ~s;
    case arch::LogicOp::kOrInverted:
      return ~s | d;
    case arch::LogicOp::kNand:
      return ~(s & d);
    case arch::LogicOp::kSet:
      return ~uint64_t{0};
  }
  return s;
}

TargetState make_target_state(const ColorRegisters& registers, uint32_t index) {
  const arch::ColorTarget& from = registers.target[index];
  TargetState target;
  target.format = &arch::format_info(from.surface.format);
  target.layout = texel_layout(*target.format);
  target.bytes = target.format->bytes;
  if (!can_render(*target.format)) return target;
  set_write_bits(*target.format, from.write_mask, target);
  const NumericKind kind = target.format->kind;
  target.clamped = kind == NumericKind::kUnorm || kind == NumericKind::kSnorm || kind == NumericKind::kSrgb;
  target.clamp_low = kind == NumericKind::kSnorm ? -1.0f : 0.0f;
  for (uint32_t c = 0; c < 4; c++) target.constant[c] = clamp_value(target, registers.blend_constant[c]);
  target.logic = registers.logic_op_enable && kind != NumericKind::kSrgb && kind != NumericKind::kSfloat &&
                 kind != NumericKind::kUfloat;
  target.logic_op = static_cast<uint8_t>(registers.logic_op & 15);
  const auto byte = [](uint32_t value, uint32_t most) {
    return static_cast<uint8_t>(value <= most ? value : 0);
  };
  constexpr auto kFactors = static_cast<uint32_t>(BlendFactor::kOneMinusSrc1Alpha);
  constexpr auto kOps = static_cast<uint32_t>(BlendOp::kMax);
  target.color_source = byte(from.color_source, kFactors);
  target.color_destination = byte(from.color_destination, kFactors);
  target.color_op = byte(from.color_op, kOps);
  target.alpha_source = byte(from.alpha_source, kFactors);
  target.alpha_destination = byte(from.alpha_destination, kFactors);
  target.alpha_op = byte(from.alpha_op, kOps);
  target.blend = from.blend && !registers.logic_op_enable && can_blend(*target.format) &&
                 !(is_replace(target.color_source, target.color_destination, target.color_op) &&
                   is_replace(target.alpha_source, target.alpha_destination, target.alpha_op));
  target.reads_destination =
      target.enabled &&
      (!target.full_mask || (target.logic && logic_reads(target.logic_op)) ||
       (target.blend && (blend_reads(target.color_source, target.color_destination, target.color_op) ||
                         blend_reads(target.alpha_source, target.alpha_destination, target.alpha_op))));
  return target;
}

void write_pixel(const TargetState& target, const uint32_t source[4], const uint32_t source1[4],
                 std::byte* element) {
  if (!target.enabled) return;
  uint32_t value[4];
  if (target.blend) blend_values(target, source, source1, element, value);
  else std::memcpy(value, source, sizeof value);
  if (target.full_mask && !target.logic) {
    encode_texel(*target.format, target.layout, value, element);
    return;
  }
  std::array<uint64_t, 2> updated{}, stored{};
  std::memcpy(stored.data(), element, target.bytes);
  encode_texel(*target.format, target.layout, value, reinterpret_cast<std::byte*>(updated.data()));
  for (uint32_t i = 0; i < 2; i++) {
    if (target.logic)
      updated[i] = logic_operation(static_cast<arch::LogicOp>(target.logic_op), updated[i], stored[i]);
    updated[i] = (stored[i] & ~target.write_bits[i]) | (updated[i] & target.write_bits[i]);
  }
  std::memcpy(element, updated.data(), target.bytes);
}

}  // namespace cutaway::func
