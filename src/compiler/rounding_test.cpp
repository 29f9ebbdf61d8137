#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "compiler/testing/run_text.h"

// Conversions to halves with a rounding mode, as they are stored.
namespace cutaway::compiler {
namespace {

using testing::ElementsAreArray;

double value_of(uint32_t half) {
  return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
}

// The half with the greatest magnitude that is not beyond a number.
uint32_t truncated(double x) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7e00;
  if (std::isinf(x)) return sign | 0x7c00;
  uint32_t half = 0;
  for (uint32_t step = 0x4000; step; step >>= 1)
    if (half + step <= 0x7bff && value_of(half + step) <= std::fabs(x)) half += step;
  return sign | half;
}

uint32_t nearest(double x) {
  if (std::isnan(x)) return 0x7e00;
  return std::bit_cast<uint16_t>(static_cast<_Float16>(x));
}

std::vector<float> numbers(uint32_t seed) {
  const std::vector<float> special = {
      65504,     65519.99f, 65520,       -65520,       1e30f,        -1e30f,   INFINITY,
      -INFINITY, 0x1p-24f,  -0x1.8p-25f, 0x1.ffcp-15f, 0x1.fffp-15f, 0x1p-14f, -0x1.0008p-14f,
      1.99999f,  -1.0009f,  0,           -0.0f};
  std::mt19937 random(seed);
  std::vector<float> all;
  for (uint32_t i = 0; i < 16; ++i) {
    if (random() % 2) all.push_back(special[random() % special.size()]);
    else
      all.push_back(
          std::ldexp(static_cast<float>(static_cast<int32_t>(random())), -static_cast<int>(random() % 60)));
  }
  return all;
}

// Converts the floats of In, times `factor` in doubles if that is not empty, to vectors of halves over Out.
std::vector<uint32_t> converted(const std::string& mode, const std::string& factor,
                                const std::vector<float>& in) {
  TextModule module;
  module.capabilities = "OpCapability StorageBuffer16BitAccess";
  module.interface = "%H";
  module.results = 2;
  module.decorations = R"(
OpDecorate %H DescriptorSet 0
OpDecorate %H Binding 1
OpDecorate %halves ArrayStride 8
OpDecorate %half_block Block
OpMemberDecorate %half_block 0 Offset 0
)";
  if (!mode.empty()) module.decorations += "OpDecorate %rounded FPRoundingMode " + mode + "\n";
  module.globals = R"(
%halves = OpTypeRuntimeArray %f16v4
%half_block = OpTypeStruct %halves
%half_block_ptr = OpTypePointer StorageBuffer %half_block
%half_ptr = OpTypePointer StorageBuffer %f16v4
%H = OpVariable %half_block_ptr StorageBuffer
)";
  if (!factor.empty()) module.globals += "%factor = OpConstant %f64 " + factor + "\n";
  module.body = R"(
%to = OpAccessChain %half_ptr %H %c0 %i
%x_words = OpCompositeConstruct %u32v4 %x0 %x1 %x2 %x3
%floats = OpBitcast %f32v4 %x_words
)";
  if (factor.empty()) module.body += "%rounded = OpFConvert %f16v4 %floats\n";
  else
    module.body +=
        "%doubles = OpFConvert %f64v4 %floats\n%product = OpVectorTimesScalar %f64v4 %doubles "
        "%factor\n%rounded = OpFConvert %f16v4 %product\n";
  module.body += "OpStore %to %rounded\n";
  std::vector<uint32_t> bits;
  for (const float x : in) bits.push_back(std::bit_cast<uint32_t>(x));
  return module.run(bits);
}

void check(const std::string& mode, const std::string& factor) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const std::vector<float> in = numbers(seed);
    std::vector<uint32_t> expected(8);
    for (uint32_t i = 0; i < 16; ++i) {
      const double x = factor.empty() ? in[i] : in[i] * std::stod(factor);
      expected[i / 2] |= (mode == "RTZ" ? truncated(x) : nearest(x)) << 16 * (i % 2);
    }
    ASSERT_THAT(converted(mode, factor, in), ElementsAreArray(expected))
        << mode << " " << factor << " " << seed;
  }
}

TEST(Rounding, OfFloatsTowardZero) { check("RTZ", ""); }
TEST(Rounding, OfFloatsToNearest) {
  check("RTE", "");
  check("", "");
}
TEST(Rounding, OfDoublesTowardZero) {
  check("RTZ", "1.0000000000001");
  check("RTZ", "1e200");
  check("RTZ", "1e-200");
}
TEST(Rounding, OfDoublesToNearest) {
  check("RTE", "1.0000000000001");
  check("RTE", "1e200");
}

}  // namespace
}  // namespace cutaway::compiler
