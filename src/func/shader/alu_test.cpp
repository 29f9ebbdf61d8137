#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/float_mode.h"
#include "func/testing/shader_group.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"

namespace cutaway::func::alu_test {
namespace {

using isa::Opcode;

constexpr uint32_t kWidth = 16;

float as_float(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t as_bits(float f) { return std::bit_cast<uint32_t>(f); }

// Flushes a float like arithmetic operands and results.
float operand(uint32_t bits) { return as_float((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits); }
uint32_t result(float f) { return std::isnan(f) ? 0x7fc00000 : as_bits(operand(as_bits(f))); }
uint32_t result(double d) { return result(static_cast<float>(d)); }
uint32_t truth(bool b) { return b ? ~0u : 0; }

uint32_t half(float f) {
  if (std::isnan(f)) return 0x7e00;
  const uint32_t sign = std::signbit(f) ? 0x8000 : 0;
  const double a = std::fabs(static_cast<double>(f));
  if (a >= 65520) return sign | 0x7c00;
  const int exponent = std::max(a == 0 ? -14 : std::ilogb(a), -14);
  // In units of the last place of this binade; a carry correctly increments the exponent.
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(a, 10 - exponent)));
  return sign | (units + (static_cast<uint32_t>(exponent + 14) << 10));
}

uint32_t from_half(uint32_t h) {
  const int exponent = static_cast<int>(h >> 10 & 31);
  const double m = h & 1023;
  if (exponent == 31) return m != 0 ? 0x7fc00000 : (h & 0x8000) << 16 | 0x7f800000;
  const double a = exponent == 0 ? std::ldexp(m, -24) : std::ldexp(m + 1024, exponent - 25);
  return as_bits(static_cast<float>(h & 0x8000 ? -a : a));
}

uint32_t bit_field(uint32_t a, uint32_t offset, uint32_t count, bool is_signed) {
  uint32_t value = 0;
  for (uint32_t n = 0; n < 32; ++n) {
    const uint64_t at = uint64_t{offset} + std::min(n, is_signed && count > 0 ? count - 1 : n);
    const bool inside = n < count || (is_signed && count > 0);
    if (inside && (at < 32 ? a >> at & 1 : is_signed && a >> 31)) value |= 1u << n;
  }
  return value;
}

// One component of one operation, from the manual, with the host's scalar arithmetic.
uint32_t reference(Opcode op, uint32_t a, uint32_t b, uint32_t c) {
  using enum Opcode;
  const float x = operand(a), y = operand(b), z = operand(c);
  const auto i = static_cast<int32_t>(a), j = static_cast<int32_t>(b);
  const auto one_if = [](bool condition) { return condition ? 0x3f800000u : 0; };
  switch (op) {
    case kMov:
      return a;
    case kAdd:
      return result(x + y);
    case kMul:
      return result(x * y);
    case kMad:
      return result(operand(as_bits(x * y)) + z);
    case kLrp:
      return result(operand(as_bits(x * y)) + operand(as_bits((1.0f - x) * z)));
    case kFog: {
      const float change = operand(as_bits(y * operand(as_bits(x - z))));
      return result(change + z);
    }
    case kMin:
      return std::isnan(y) ? result(x) : result(x < y ? x : y);
    case kMax:
      return std::isnan(y) ? result(x) : result(x > y ? x : y);
    case kFlr:
      return result(std::floor(x));
    case kCeil:
      return result(std::ceil(x));
    case kTrunc:
      return result(std::trunc(x));
    case kRne:
      return result(std::nearbyint(x));
    case kFrc:
      return result(x - std::floor(x));
    case kSgn:
      return as_bits(x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f);
    case kSlt:
      return one_if(x < y);
    case kSge:
      return one_if(x >= y);
    case kSeq:
      return one_if(x == y);
    case kSne:
      return one_if(!(x == y));
    case kCmp:
      return x < 0 ? b : c;
    case kFlt:
      return truth(x < y);
    case kFge:
      return truth(x >= y);
    case kFeq:
      return truth(x == y);
    case kFne:
      return truth(!(x == y));
    case kIlt:
      return truth(i < j);
    case kIge:
      return truth(i >= j);
    case kUlt:
      return truth(a < b);
    case kUge:
      return truth(a >= b);
    case kIeq:
      return truth(a == b);
    case kIne:
      return truth(a != b);
    case kSel:
      return a != 0 ? b : c;
    case kIadd:
      return a + b;
    case kImul:
      return a * b;
    case kImulh:
      return static_cast<uint32_t>(int64_t{i} * j >> 32);
    case kUmulh:
      return static_cast<uint32_t>(uint64_t{a} * b >> 32);
    case kImin:
      return static_cast<uint32_t>(std::min(i, j));
    case kImax:
      return static_cast<uint32_t>(std::max(i, j));
    case kUmin:
      return std::min(a, b);
    case kUmax:
      return std::max(a, b);
    case kAnd:
      return a & b;
    case kOr:
      return a | b;
    case kXor:
      return a ^ b;
    case kNot:
      return ~a;
    case kShl:
      return a << b % 32;
    case kShr:
      return a >> b % 32;
    case kAsr:
      return static_cast<uint32_t>(i >> b % 32);
    case kUbfe:
      return bit_field(a, b, c, false);
    case kIbfe:
      return bit_field(a, b, c, true);
    case kBrev: {
      uint32_t r = 0;
      for (uint32_t n = 0; n < 32; ++n) r |= (a >> n & 1) << (31 - n);
      return r;
    }
    case kPopc:
      return static_cast<uint32_t>(std::popcount(a));
    case kFfs:
      return a == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(a));
    case kUfls:
      return 31 - static_cast<uint32_t>(std::countl_zero(a));
    case kIfls:
      return 31 - static_cast<uint32_t>(std::countl_zero(i < 0 ? ~a : a));
    case kF2i:
      return std::isnan(x)
                 ? 0
                 : static_cast<uint32_t>(static_cast<int32_t>(std::clamp<double>(x, -0x1p31, 0x1p31 - 1)));
    case kF2u:
      return std::isnan(x) ? 0 : static_cast<uint32_t>(std::clamp<double>(x, 0, 0x1p32 - 1));
    case kI2f:
      return as_bits(static_cast<float>(i));
    case kU2f:
      return as_bits(static_cast<float>(a));
    case kRcp:
      return result(1.0 / double{x});
    case kSqrt:
      return result(std::sqrt(double{x}));
    case kRsq:
      return result(1.0f / static_cast<float>(std::sqrt(double{x})));
    case kUdiv:
      return b == 0 ? ~0u : a / b;
    case kUmod:
      return b == 0 ? ~0u : a % b;
    case kIdiv:
      return b == 0 ? ~0u : static_cast<uint32_t>(int64_t{i} / j);
    case kIrem:
      return b == 0 ? ~0u : static_cast<uint32_t>(int64_t{i} % j);
    default:
      ADD_FAILURE() << "no reference for " << isa::info(op).mnemonic;
      return 0;
  }
}

uint32_t modified(uint32_t bits, const isa::Source& s, isa::OperandType type) {
  switch (type) {
    case isa::OperandType::kFloat:
      if (s.absolute) bits &= 0x7fffffff;
      return s.negate ? bits ^ 0x80000000 : bits;
    case isa::OperandType::kInteger:
      if (s.absolute && bits >> 31) bits = 0 - bits;
      return s.negate ? 0 - bits : bits;
    case isa::OperandType::kLogic:
      return s.negate ? ~bits : bits;
    case isa::OperandType::kDouble:  // alu_double_test.cpp
      break;
  }
  return bits;
}

uint32_t saturated(uint32_t bits) {
  const float f = operand(bits);
  return as_bits(f > 0 ? std::min(f, 1.0f) : 0.0f);
}

// The expected component c of an instruction's result in one lane.
uint32_t expected(const isa::Instruction& i, const ShaderGroup& g, uint32_t lane, uint32_t c) {
  const auto source = [&](uint32_t n, uint32_t component) -> uint32_t {
    const isa::Source& s = i.src[n];
    const uint32_t at = s.index * 4u + isa::swizzle_component(s.swizzle, component);
    uint32_t bits = s.file == isa::File::kConstant ? g.constant[at]
                    : s.file == isa::File::kInput  ? g.input[at * kWidth + lane]
                                                   : g.temporary[at * kWidth + lane];
    if (s.half != isa::Half::kNone) bits = from_half(s.half == isa::Half::kHigh ? bits >> 16 : bits & 0xffff);
    return modified(bits, s, isa::source_type(i.op, n));
  };
  const auto derivative = [&](uint32_t plus, uint32_t minus) {
    const uint32_t quad = lane & ~3u, own = lane;
    lane = quad + plus;
    const float a = operand(source(0, c));
    lane = quad + minus;
    const float b = operand(source(0, c));
    lane = own;
    return result(a - b);
  };
  const uint32_t n = isa::info(i.op).sources;
  switch (i.op) {
    case Opcode::kDdx:
      return derivative((lane & 2) + 1, lane & 2);
    case Opcode::kDdy:
      return derivative((lane & 1) + 2, lane & 1);
    case Opcode::kDdxCoarse:
      return derivative(1, 0);
    case Opcode::kDdyCoarse:
      return derivative(2, 0);
    case Opcode::kDp2:
    case Opcode::kDp3:
    case Opcode::kDp4: {
      const uint32_t terms = i.op == Opcode::kDp2 ? 2 : i.op == Opcode::kDp3 ? 3 : 4;
      float sum = 0;
      for (uint32_t t = 0; t < terms; ++t) {
        const float product = operand(as_bits(operand(source(0, t)) * operand(source(1, t))));
        sum = t == 0 ? product : operand(as_bits(sum + product));
      }
      return result(sum);
    }
    case Opcode::kNrm: {
      float sum = 0;
      for (uint32_t t = 0; t < 3; ++t) {
        const float product = operand(as_bits(operand(source(0, t)) * operand(source(0, t))));
        sum = t == 0 ? product : operand(as_bits(sum + product));
      }
      const float scale = operand(result(1.0f / as_float(result(std::sqrt(sum)))));
      return result(operand(source(0, c)) * scale);
    }
    case Opcode::kPackHalf:
      return half(operand(source(0, 0))) | half(operand(source(0, 1))) << 16;
    case Opcode::kRoundHalf:
      return from_half(half(operand(source(0, c))));
    case Opcode::kUnpackHalf:
      return from_half(c & 1 ? source(0, 0) >> 16 : source(0, 0) & 0xffff);
    default: {
      const uint32_t from = isa::is_scalar(i.op) ? 0 : c;
      return reference(i.op, source(0, from), n > 1 ? source(1, from) : 0, n > 2 ? source(2, from) : 0);
    }
  }
}

bool has_reference(Opcode op) {
  const isa::OpClass c = isa::info(op).op_class;
  return (c == isa::OpClass::kSimd || c == isa::OpClass::kScalar) && !isa::is_of_quad(op) &&
         !isa::is_double(op) && !isa::has_window(op) && !isa::in_range(op, Opcode::kEx2, Opcode::kCos);
}

// Executes random instructions in FloatMode, and compares with expectations from ordinary IEEE arithmetic.
void compare_with_reference(AluPath path) {
  std::mt19937 random(2);
  for (uint32_t round = 0; round < 30000; ++round) {
    isa::Instruction i;
    do i = isa::random_instruction(random, 4);
    while (!has_reference(i.op));
    for (isa::Source& s : i.src) s.index = static_cast<uint16_t>(s.index % 4);
    if (i.dst.file == isa::File::kNone) i.dst.file = isa::File::kTemporary;
    i.dst.index = static_cast<uint8_t>(i.dst.index % 4);
    if (round % 4 == 0)
      for (isa::Source& s : i.src) s.negate = s.absolute = false;
    ShaderGroup g(kWidth);
    for (auto* words : {&g.input, &g.temporary, &g.output, &g.constant})
      for (uint32_t n = 0; n < 16 * kWidth; ++n) (*words)[n] = interesting_bits(random);
    ShaderGroup after = g;
    const bool all = round % 2 == 0;
    const auto lanes = all ? ~0u : static_cast<uint32_t>(random());
    uint32_t mask[kWidth];
    for (uint32_t lane = 0; lane < kWidth; ++lane) mask[lane] = truth(lanes >> lane & 1);
    {
      const FloatMode mode;
      const MicroProgram program(std::vector<isa::Instruction>{i, {.op = Opcode::kEnd}}, kWidth, path);
      program[0].execute(program[0], after.registers(), kWidth, all ? nullptr : mask);
    }
    const bool to_output = i.dst.file == isa::File::kOutput;
    for (uint32_t c = 0; c < 4; ++c)
      for (uint32_t lane = 0; lane < kWidth; ++lane) {
        const uint32_t at = register_word(kWidth, i.dst.index, c, lane);
        const uint32_t before = (to_output ? g.output : g.temporary)[at];
        uint32_t want = before;
        if (i.dst.mask >> c & 1 && mask[lane]) {
          want = expected(i, g, lane, c);
          if (i.dst.saturate) want = saturated(want);
          const uint32_t rounded = half(operand(want));
          if (i.dst.half == isa::Half::kLow) want = (before & 0xffff0000) | rounded;
          if (i.dst.half == isa::Half::kHigh) want = (before & 0xffff) | rounded << 16;
        }
        ASSERT_EQ((to_output ? after.output : after.temporary)[at], want)
            << disassemble(i) << ", component " << c << ", lane " << lane;
      }
  }
}

TEST(AluTest, EveryOperationIsTheManualsOnSse2) { compare_with_reference(AluPath::kPortable); }

TEST(AluTest, EveryOperationIsTheManualsOnAvx2) {
  if (!has_path(AluPath::kAvx2)) GTEST_SKIP() << "the processor has no AVX2";
  compare_with_reference(AluPath::kAvx2);
}

TEST(AluTest, EveryOperationIsTheManualsOnAvx512) {
  if (!has_path(AluPath::kAvx512)) GTEST_SKIP() << "the processor has no AVX-512";
  compare_with_reference(AluPath::kAvx512);
}

// Processes of their own, because a process asks its environment once.
TEST(AluTest, TheEnvironmentLimitsThePath) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exits_with_path = [](const char* name, AluPath most) {
    setenv(name, "1", 1);
    const AluPath best = best_path();
    std::exit(best <= most && best != AluPath::kBest ? 0 : 1);
  };
  EXPECT_EXIT(exits_with_path("CUTAWAY_PORTABLE", AluPath::kPortable), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exits_with_path("CUTAWAY_AVX2", AluPath::kAvx2), ::testing::ExitedWithCode(0), "");
}

// All halves, and all floats around the halves' rounding boundaries.
TEST(AluTest, HalvesComeBackFromFloats) {
  const FloatMode mode;
  const MicroProgram program(isa::assemble("UP2H r0, i0.x\nPK2H r1.x, r0\nEND"), 4);
  uint32_t in[16] = {}, temporary[32];
  for (uint32_t h = 0; h < 0x10000; ++h) {
    std::fill_n(in, 4, h | h << 16);
    for (uint32_t pc = 0; pc < 2; ++pc)
      program[pc].execute(program[pc], {.input = in, .temporary = temporary}, 4, nullptr);
    const bool nan = (h & 0x7fff) > 0x7c00;
    ASSERT_EQ(temporary[0], from_half(h));
    ASSERT_EQ(temporary[16], nan ? 0x7e007e00 : h | h << 16);
  }
}

// MAD must round its product: only then are these 0.
TEST(AluTest, MadRoundsTwice) {
  const FloatMode mode;
  for (AluPath path : {AluPath::kPortable, AluPath::kBest}) {
    const MicroProgram program(isa::assemble("MAD r0.x, i0.x, i0.x, -i0.y\nEND"), 8, path);
    uint32_t in[32] = {}, out[32];
    const float a = 1 + 0x1p-12f;
    std::fill_n(in, 8, as_bits(a));
    std::fill_n(in + 8, 8, as_bits(1 + 0x1p-11f));
    program[0].execute(program[0], {.input = in, .temporary = out}, 8, nullptr);
    EXPECT_EQ(out[0], 0u);
  }
}

TEST(FloatModeTest, NestsAndRestores) {
  EXPECT_FALSE(FloatMode::active());
  {
    const FloatMode mode;
    EXPECT_TRUE(FloatMode::active());
    { const FloatMode inner; }
    EXPECT_TRUE(FloatMode::active());
    volatile float smallest = std::numeric_limits<float>::min();
    EXPECT_EQ(smallest / 2, 0.0f);
  }
  EXPECT_FALSE(FloatMode::active());
}

}  // namespace
}  // namespace cutaway::func::alu_test
