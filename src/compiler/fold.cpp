#include <algorithm>
#include <bit>
#include <cmath>

#include "compiler/builder.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t boolean(bool value) { return value ? ~0u : 0; }

bool fold_float(Opcode op, const std::array<uint32_t, 3>& s, uint32_t& result) {
  using enum Opcode;
  float in[3];
  for (int i = 0; i < 3; ++i) {
    in[i] = std::bit_cast<float>(s[i]);
    // Leaves denormals, infinities and NaNs to the machine.
    if (!std::isnormal(in[i]) && s[i] != 0 && s[i] != 0x80000000) return false;
  }
  const float a = in[0], b = in[1], c = in[2];
  float r = 0;
  switch (op) {
    case kAdd:
      r = a + b;
      break;
    case kMul:
      r = a * b;
      break;
    case kMad: {
      const volatile float product = a * b;
      if (product != 0 && !std::isnormal(product)) return false;
      r = product + c;
      break;
    }
    case kMin:
      r = a < b ? a : b;
      break;
    case kMax:
      r = a > b ? a : b;
      break;
    case kFlr:
      r = std::floor(a);
      break;
    case kCeil:
      r = std::ceil(a);
      break;
    case kTrunc:
      r = std::trunc(a);
      break;
    case kFrc:
      r = a - std::floor(a);
      break;
    case kRcp:
      if (a == 0) return false;
      r = 1.0f / a;
      break;
    case kSqrt:
      if (a < 0) return false;
      r = std::sqrt(a);
      break;
    case kFlt:
      result = boolean(a < b);
      return true;
    case kFge:
      result = boolean(a >= b);
      return true;
    case kFeq:
      result = boolean(a == b);
      return true;
    case kFne:
      result = boolean(a != b);
      return true;
    case kF2i:
      if (!(std::fabs(a) < 2147483648.0f)) return false;
      result = static_cast<uint32_t>(static_cast<int32_t>(a));
      return true;
    case kF2u:
      if (!(a >= 0 && a < 4294967296.0f)) return false;
      result = static_cast<uint32_t>(a);
      return true;
    default:
      return false;
  }
  result = std::bit_cast<uint32_t>(r);
  return std::isnormal(r) || result == 0 || result == 0x80000000;
}

// Divides as the machine does, also by zero (docs/isa.md).
bool fold_divide(Opcode op, uint32_t a, uint32_t b, uint32_t& result) {
  using enum Opcode;
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  if (b == 0) result = ~0u;
  else if (op == kUdiv) result = a / b;
  else if (op == kUmod) result = a % b;
  else if (sb == -1) result = op == kIdiv ? 0 - a : 0;
  else result = static_cast<uint32_t>(op == kIdiv ? sa / sb : sa % sb);
  return true;
}

// Bits [offset, offset + count) of a word; beyond the word a signed field has its sign, another zeros.
uint32_t bit_field(uint32_t word, uint32_t offset, uint32_t count, bool is_signed) {
  if (count == 0) return 0;
  const auto at = static_cast<uint32_t>(std::min<uint64_t>(offset, 32));
  const int64_t extended = is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
  const auto moved = static_cast<uint32_t>(extended >> at);
  if (count >= 32) return moved;
  const uint32_t above = 32 - count;
  const uint32_t top = moved << above;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(top) >> above) : top >> above;
}

uint32_t reversed(uint32_t word) {
  uint32_t result = 0;
  for (uint32_t bit = 0; bit < 32; ++bit) result |= (word >> bit & 1) << (31 - bit);
  return result;
}

bool fold_bits(Opcode op, const std::array<uint32_t, 3>& s, uint32_t& result) {
  using enum Opcode;
  const uint32_t a = s[0];
  switch (op) {
    case kUbfe:
    case kIbfe:
      result = bit_field(a, s[1], s[2], op == kIbfe);
      return true;
    case kBrev:
      result = reversed(a);
      return true;
    case kPopc:
      result = static_cast<uint32_t>(std::popcount(a));
      return true;
    case kFfs:
      result = a == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(a));
      return true;
    case kUfls:
      result = 31 - static_cast<uint32_t>(std::countl_zero(a));
      return true;
    case kIfls:
      result = 31 - static_cast<uint32_t>(std::countl_zero(a >> 31 ? ~a : a));
      return true;
    default:
      return false;
  }
}

}  // namespace

uint32_t nearest_half(uint32_t bits) {
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520
  if (magnitude >= 0x38800000) return sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13);
  // A multiple of 2^-24.
  return sign | static_cast<uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24f));
}

uint32_t float_of_half(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
  if (magnitude > 0x7c00) return 0x7fc00000;
  if (magnitude == 0x7c00) return sign | 0x7f800000;
  if (magnitude >= 0x400) return sign | ((magnitude << 13) + 0x38000000);
  return sign | std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
}

uint32_t quantized_to_half(uint32_t bits) {
  const uint32_t sign = bits & 0x80000000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fc00000;
  if (magnitude < 0x38800000) return sign;  // 2^-14
  // Drops 13 bits of the significand, to nearest even; from 65520 on the result is infinity.
  const uint32_t rounded = (magnitude + 0xfff + (magnitude >> 13 & 1)) & ~0x1fffu;
  return sign | (rounded >= 0x47800000 ? 0x7f800000 : rounded);
}

bool fold_literals(Opcode op, const std::array<uint32_t, 3>& s, uint32_t& result) {
  using enum Opcode;
  const uint32_t a = s[0], b = s[1], c = s[2];
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (op) {
    case kMov:
      result = a;
      return true;
    case kRoundHalf:
      result = float_of_half(nearest_half(a));
      return true;
    case kIadd:
      result = a + b;
      return true;
    case kImul:
      result = a * b;
      return true;
    case kImin:
      result = sa < sb ? a : b;
      return true;
    case kImax:
      result = sa > sb ? a : b;
      return true;
    case kUmin:
      result = a < b ? a : b;
      return true;
    case kUmax:
      result = a > b ? a : b;
      return true;
    case kAnd:
      result = a & b;
      return true;
    case kOr:
      result = a | b;
      return true;
    case kXor:
      result = a ^ b;
      return true;
    case kNot:
      result = ~a;
      return true;
    case kShl:
      result = a << (b & 31);
      return true;
    case kShr:
      result = a >> (b & 31);
      return true;
    case kAsr:
      result = static_cast<uint32_t>(sa >> (b & 31));
      return true;
    case kIlt:
      result = boolean(sa < sb);
      return true;
    case kIge:
      result = boolean(sa >= sb);
      return true;
    case kUlt:
      result = boolean(a < b);
      return true;
    case kUge:
      result = boolean(a >= b);
      return true;
    case kIeq:
      result = boolean(a == b);
      return true;
    case kIne:
      result = boolean(a != b);
      return true;
    case kSel:
      result = a ? b : c;
      return true;
    case kI2f:
      result = std::bit_cast<uint32_t>(static_cast<float>(sa));
      return true;
    case kU2f:
      result = std::bit_cast<uint32_t>(static_cast<float>(a));
      return true;
    case kUdiv:
    case kUmod:
    case kIdiv:
    case kIrem:
      return fold_divide(op, a, b, result);
    case kUmulh:
      result = static_cast<uint32_t>(uint64_t{a} * b >> 32);
      return true;
    case kImulh:
      result = static_cast<uint32_t>(int64_t{sa} * sb >> 32);
      return true;
    default:
      return fold_bits(op, s, result) || fold_float(op, s, result);
  }
}

}  // namespace cutaway::compiler
