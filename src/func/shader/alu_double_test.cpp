#include "func/shader/alu_double.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/float_mode.h"
#include "func/shader/micro_program.h"
#include "func/testing/shader_group.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"

namespace cutaway::func::alu_double_test {
namespace {

using isa::Opcode;

constexpr uint32_t kWidth = 8;
constexpr uint64_t kNan = 0x7ff8000000000000;

double of_bits(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits_of(double value) { return std::isnan(value) ? kNan : std::bit_cast<uint64_t>(value); }

// Boundary values of the operations, and their neighbours.
std::vector<uint64_t> edges() {
  std::vector<uint64_t> all;
  const double middle[] = {0.0,       0x1p-1074,
                           0x1p-1022, 0x1p-1021,
                           0x1p-540,  0x1p-150,
                           0x1p-149,  0x1p-126,
                           0x1p-25,   0.5,
                           1.0,       1.5,
                           2.5,       3.0,
                           0x1p23,    0x1p31,
                           0x1p32,    0x1p51,
                           0x1p52,    0x1p53,
                           0x1p63,    0x1p64,
                           0x1p127,   0x1p128,
                           0x1p1023,  std::numeric_limits<double>::infinity()};
  for (const double value : middle) {
    const auto bits = std::bit_cast<uint64_t>(value);
    for (const int64_t step : {-1, 0, 1}) {
      const uint64_t near = bits + static_cast<uint64_t>(step);
      if (bits == 0 && step < 0) continue;
      all.push_back(near), all.push_back(near | uint64_t{1} << 63);
    }
    // A tie of two floats, and of two integers.
    all.push_back(bits | uint64_t{1} << 28);
  }
  all.push_back(kNan), all.push_back(0xffffffffffffffff), all.push_back(0x7ff0000000000001);
  return all;
}

uint64_t interesting_double(std::mt19937& random) {
  static const std::vector<uint64_t> kEdges = edges();
  const uint64_t any = uint64_t{random()} << 32 | random();
  switch (random() % 4) {
    case 0:
      return any;
    case 1:  // of a magnitude that others have
      return (any & 0x800fffffffffffff) | uint64_t{1013 + random() % 20} << 52;
    default:
      return kEdges[random() % kEdges.size()];
  }
}

uint32_t truth(bool value) { return value ? ~0u : 0; }

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

// The float nearest to a double; below the normal range, in multiples of the least denormal.
uint32_t nearest_float(double value) {
  if (std::isnan(value)) return 0x7fc00000;
  if (std::fabs(value) >= 0x1p-126) return std::bit_cast<uint32_t>(static_cast<float>(value));
  const bool normal = std::rint(std::fabs(value) * 0x1p149) == 0x1p23;
  return std::bit_cast<uint32_t>(std::copysign(normal ? 0x1p-126f : 0.0f, static_cast<float>(value)));
}

uint64_t reference(Opcode op, uint64_t x, uint64_t y, uint64_t z) {
  using enum Opcode;
  const double a = of_bits(x), b = of_bits(y), c = of_bits(z);
  const auto word = static_cast<uint32_t>(x);
  switch (op) {
    case kDadd:
      return bits_of(a + b);
    case kDmul:
      return bits_of(a * b);
    case kDfma:
      return bits_of(std::fma(a, b, c));
    case kDdiv:
      return bits_of(a / b);
    case kDsqrt:
      return bits_of(std::sqrt(a));
    case kDmin:
      return std::isnan(a) ? bits_of(b) : std::isnan(b) ? x : a < b ? x : y;
    case kDmax:
      return std::isnan(a) ? bits_of(b) : std::isnan(b) ? x : a > b ? x : y;
    case kDflr:
      return bits_of(std::floor(a));
    case kDceil:
      return bits_of(std::ceil(a));
    case kDtrunc:
      return bits_of(std::trunc(a));
    case kDrne:
      return bits_of(std::rint(a));
    case kF2d:
      return bits_of(flushed(std::bit_cast<float>(word)));
    case kI2d:
      return bits_of(std::bit_cast<int32_t>(word));
    case kU2d:
      return bits_of(word);
    case kDlt:
      return truth(std::isless(a, b));
    case kDge:
      return truth(std::isgreaterequal(a, b));
    case kDeq:
      return truth(a == b);
    case kDne:
      return truth(!(a == b));
    case kD2f:
      return nearest_float(a);
    case kD2i:
      return std::isnan(a) ? 0
                           : static_cast<uint32_t>(static_cast<int64_t>(
                                 std::clamp(std::trunc(a), -2147483648.0, 2147483647.0)));
    case kD2u:
      return std::isnan(a) ? 0 : static_cast<uint32_t>(std::clamp(std::trunc(a), 0.0, 4294967295.0));
    default:
      return 0;
  }
}

// Executes random instructions in FloatMode, and compares with expectations from ordinary IEEE arithmetic.
TEST(AluDoubleTest, EveryOperationIsTheManuals) {
  std::mt19937 random(3);
  std::array<uint32_t, isa::kOpcodes> seen{};
  for (uint32_t round = 0; round < 300000; ++round) {
    isa::Instruction i;
    do i = isa::random_instruction(random, 4);
    while (!isa::is_double(i.op));
    ++seen[static_cast<size_t>(i.op)];
    for (isa::Source& s : i.src) {
      s.index = static_cast<uint16_t>(s.index % 4);
      if (s.file != isa::File::kNone && random() % 4) s.swizzle = random() % 2 ? 0x44 : 0xee;  // xyxy, zwzw
    }
    if (i.dst.file == isa::File::kNone) i.dst.file = isa::File::kTemporary;
    i.dst.index = static_cast<uint8_t>(i.dst.index % 4);
    ShaderGroup g(kWidth);
    for (auto* words : {&g.input, &g.temporary, &g.output})
      for (uint32_t r = 0; r < 8; ++r)
        for (uint32_t lane = 0; lane < kWidth; ++lane) {
          const uint64_t value = interesting_double(random);
          (*words)[2 * r * kWidth + lane] = static_cast<uint32_t>(value);
          (*words)[(2 * r + 1) * kWidth + lane] = static_cast<uint32_t>(value >> 32);
        }
    for (uint32_t n = 0; n < 16; n += 2) {
      const uint64_t value = interesting_double(random);
      g.constant[n] = static_cast<uint32_t>(value), g.constant[n + 1] = static_cast<uint32_t>(value >> 32);
    }
    ShaderGroup after = g;
    const auto lanes = static_cast<uint32_t>(random());
    uint32_t mask[kWidth];
    for (uint32_t lane = 0; lane < kWidth; ++lane) mask[lane] = truth(lanes >> lane & 1);
    {
      const FloatMode mode;
      const MicroProgram program(std::vector<isa::Instruction>{i, {.op = Opcode::kEnd}}, kWidth);
      program[0].execute(program[0], after.registers(), kWidth, mask);
      EXPECT_TRUE(FloatMode::active());
    }
    const bool to_output = i.dst.file == isa::File::kOutput;
    for (uint32_t lane = 0; lane < kWidth; ++lane) {
      std::array<uint64_t, 3> values{};
      for (uint32_t n = 0; n < isa::info(i.op).sources; ++n) {
        const isa::Source& s = i.src[n];
        const auto word = [&](uint32_t component) {
          const uint32_t at = s.index * 4u + isa::swizzle_component(s.swizzle, component);
          return s.file == isa::File::kConstant ? g.constant[at]
                 : s.file == isa::File::kInput  ? g.input[at * kWidth + lane]
                                                : g.temporary[at * kWidth + lane];
        };
        if (isa::reads_doubles(i.op)) {
          values[n] = uint64_t{word(1)} << 32 | word(0);
          if (s.negate) values[n] ^= uint64_t{1} << 63;
        } else if (i.op == Opcode::kF2d) {
          values[n] = word(0);
          if (s.absolute) values[n] &= 0x7fffffff;
          if (s.negate) values[n] ^= 0x80000000;
        } else {
          uint32_t v = word(0);
          if (s.absolute && v >> 31) v = 0 - v;
          values[n] = s.negate ? 0 - v : v;
        }
      }
      const uint64_t result = reference(i.op, values[0], values[1], values[2]);
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t at = register_word(kWidth, i.dst.index, c, lane);
        uint32_t want = (to_output ? g.output : g.temporary)[at];
        if (i.dst.mask >> c & 1 && mask[lane])
          want = static_cast<uint32_t>(isa::gives_double(i.op) && c & 1 ? result >> 32 : result);
        ASSERT_EQ((to_output ? after.output : after.temporary)[at], want)
            << disassemble(i) << ", component " << c << std::hex << " of " << values[0] << ", " << values[1]
            << ", " << values[2];
      }
    }
  }
  for (size_t op = 0; op < seen.size(); ++op)
    EXPECT_TRUE(seen[op] > 1000 || !isa::is_double(static_cast<Opcode>(op))) << isa::kOpInfo[op].mnemonic;
}

// The result of an operation on literals.
uint64_t of(const char* text, double a, double b = 0, double c = 0) {
  const FloatMode mode;
  const MicroProgram program(isa::assemble(text), 4);
  uint32_t in[48] = {}, out[16] = {};
  const double values[] = {a, b, c};
  for (uint32_t n = 0; n < 3; ++n)
    for (uint32_t lane = 0; lane < 4; ++lane) {
      const auto bits = std::bit_cast<uint64_t>(values[n]);
      in[16 * n + lane] = static_cast<uint32_t>(bits),
                  in[16 * n + 4 + lane] = static_cast<uint32_t>(bits >> 32);
    }
  program[0].execute(program[0], {.input = in, .temporary = out}, 4, nullptr);
  return uint64_t{out[4]} << 32 | out[0];
}

TEST(AluDoubleTest, DenormalsAreKeptAndFusedProductsAreNotRounded) {
  const double tiny = 0x1p-1074;
  EXPECT_EQ(of("DADD r0, i0, i1\nEND", tiny, tiny), 2u);
  EXPECT_EQ(of("DMUL r0, i0, i1\nEND", 0x1p-600, 0x1p-470), std::bit_cast<uint64_t>(0x1p-1070));
  EXPECT_EQ(of("DLT r0, i0, i1\nEND", 0, tiny), ~uint64_t{0});
  const double a = 1 + 0x1p-30, square = a * a;
  EXPECT_EQ(of("DFMA r0, i0, i1, -i2\nEND", a, a, square), std::bit_cast<uint64_t>(0x1p-60));
  // The least double that rounds to the least normal float, and the one below.
  const double least = 0x1p-126 - 0x1p-150;
  EXPECT_EQ(static_cast<uint32_t>(of("D2F r0, i0\nEND", least)), 0x00800000u);
  EXPECT_EQ(static_cast<uint32_t>(of("D2F r0, i0\nEND", std::nextafter(least, 0))), 0u);
}

}  // namespace
}  // namespace cutaway::func::alu_double_test
