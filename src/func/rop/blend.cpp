#include "func/rop/blend.h"

#include <algorithm>
#include <cstring>

#include "func/format/numeric.h"

namespace cutaway::func {
namespace {

using arch::BlendFactor;
using arch::BlendOp;
using arch::FormatInfo;
using arch::NumericKind;

using Float4 = float __attribute__((vector_size(16)));  // R, G, B, A

Float4 all(float value) { return Float4{value, value, value, value}; }

// Clamps to the range of fixed-point formats; NaN gives 0.
Float4 clamp_to_format(const TargetState& target, Float4 value) {
  if (!target.clamped) return value;
  const Float4 low = all(target.clamp_low);
  const Float4 below = value < all(1) ? value : all(1);
  return value > low ? below : (value <= low ? low : all(0));
}

Float4 load(const void* values) {
  Float4 out;
  std::memcpy(&out, values, sizeof out);
  return out;
}

struct BlendInputs {
  Float4 source, source1, destination, constant;  // clamped to the format's range
};

// The factors of the four components; the fourth is the alpha factor.
Float4 blend_factor(uint8_t factor, const BlendInputs& in) {
  switch (static_cast<BlendFactor>(factor)) {
    case BlendFactor::kZero:
      return all(0);
    case BlendFactor::kOne:
      return all(1);
    case BlendFactor::kSrcColor:
      return in.source;
    case BlendFactor::kOneMinusSrcColor:
      return all(1) - in.source;
    case BlendFactor::kDstColor:
      return in.destination;
    case BlendFactor::kOneMinusDstColor:
      return all(1) - in.destination;
    case BlendFactor::kSrcAlpha:
      return all(in.source[3]);
    case BlendFactor::kOneMinusSrcAlpha:
      return all(1 - in.source[3]);
    case BlendFactor::kDstAlpha:
      return all(in.destination[3]);
    case BlendFactor::kOneMinusDstAlpha:
      return all(1 - in.destination[3]);
    case BlendFactor::kConstantColor:
      return in.constant;
    case BlendFactor::kOneMinusConstantColor:
      return all(1) - in.constant;
    case BlendFactor::kConstantAlpha:
      return all(in.constant[3]);
    case BlendFactor::kOneMinusConstantAlpha:
      return all(1 - in.constant[3]);
    case BlendFactor::kSrcAlphaSaturate: {
      const float room = 1 - in.destination[3], f = in.source[3] < room ? in.source[3] : room;
      return Float4{f, f, f, 1};
    }
    case BlendFactor::kSrc1Color:
      return in.source1;
    case BlendFactor::kOneMinusSrc1Color:
      return all(1) - in.source1;
    case BlendFactor::kSrc1Alpha:
      return all(in.source1[3]);
    case BlendFactor::kOneMinusSrc1Alpha:
      return all(1 - in.source1[3]);
  }
  return all(0);
}

Float4 blend_op(uint8_t op, uint8_t source_factor, uint8_t destination_factor, const BlendInputs& in) {
  if (static_cast<BlendOp>(op) == BlendOp::kMin)
    return in.source < in.destination ? in.source : in.destination;
  if (static_cast<BlendOp>(op) == BlendOp::kMax)
    return in.source > in.destination ? in.source : in.destination;
  const Float4 source = in.source * blend_factor(source_factor, in);
  const Float4 destination = in.destination * blend_factor(destination_factor, in);
  if (static_cast<BlendOp>(op) == BlendOp::kSubtract) return source - destination;
  if (static_cast<BlendOp>(op) == BlendOp::kReverseSubtract) return destination - source;
  return source + destination;
}

void blend_values(const TargetState& target, const uint32_t source[4], const uint32_t source1[4],
                  const std::byte* element, uint32_t out[4]) {
  uint32_t stored[4] = {0, 0, 0, 0};  // zero, because an unread element must not matter: 0 × NaN is NaN
  if (target.reads_destination) decode_texel(*target.format, target.layout, element, stored);
  BlendInputs in{};
  in.source = clamp_to_format(target, load(source));
  if (target.dual_source) in.source1 = clamp_to_format(target, load(source1));
  in.destination = load(stored);
  in.constant = load(target.constant.data());
  Float4 result = blend_op(target.color_op, target.color_source, target.color_destination, in);
  if (!target.alpha_as_color)
    result[3] = blend_op(target.alpha_op, target.alpha_source, target.alpha_destination, in)[3];
  std::memcpy(out, &result, sizeof result);
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

// Source × 1 + destination × 0 is the source: such blending is disabled.
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

uint32_t smooth_alpha(const TargetState& target, uint32_t alpha, float coverage) {
  if (target.format->kind == NumericKind::kUint || target.format->kind == NumericKind::kSint) return alpha;
  return float_bits(bits_float(alpha) * coverage);
}

TargetState make_target_state(const ColorRegisters& registers, uint32_t index, bool alpha_to_one) {
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
  const Float4 constant = clamp_to_format(target, load(registers.blend_constant));
  std::memcpy(target.constant.data(), &constant, sizeof constant);
  target.alpha_to_one = alpha_to_one && !target.format->is_integer();
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
  for (uint8_t factor :
       {target.color_source, target.color_destination, target.alpha_source, target.alpha_destination})
    target.dual_source |= factor >= static_cast<uint8_t>(BlendFactor::kSrc1Color);
  target.alpha_as_color = target.color_source == target.alpha_source && target.color_op == target.alpha_op &&
                          target.color_destination == target.alpha_destination;
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
  uint32_t opaque[2][4];
  if (target.alpha_to_one) {
    constexpr uint32_t kOne = 0x3f800000;
    std::copy_n(source, 3, opaque[0]);
    std::copy_n(source1, 3, opaque[1]);
    opaque[0][3] = opaque[1][3] = kOne;
    source = opaque[0], source1 = opaque[1];
  }
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
