#include "func/rop/blend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "func/format/numeric.h"

namespace cutaway::func::blend_test {
namespace {

using arch::BlendFactor;
using arch::BlendOp;
using arch::Format;
using arch::LogicOp;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Rgba {
  float value[4];
};

ColorRegisters registers(Format format) {
  ColorRegisters r{};
  r.target[0].surface.format = static_cast<uint32_t>(format);
  r.target[0].write_mask = 15;
  return r;
}

void set_blend(ColorRegisters& r, BlendFactor source, BlendFactor destination, BlendOp op = BlendOp::kAdd) {
  arch::ColorTarget& target = r.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(source);
  target.color_destination = target.alpha_destination = static_cast<uint32_t>(destination);
  target.color_op = target.alpha_op = static_cast<uint32_t>(op);
}

std::vector<uint8_t> write(const ColorRegisters& r, Rgba source, std::vector<uint8_t> stored,
                           Rgba source1 = {{0, 0, 0, 0}}) {
  const TargetState target = make_target_state(r, 0);
  uint32_t s[4], s1[4];
  for (int c = 0; c < 4; c++) s[c] = float_bits(source.value[c]), s1[c] = float_bits(source1.value[c]);
  const size_t bytes = stored.size();
  stored.resize(kMaxTexelBytes);
  write_pixel(target, s, s1, reinterpret_cast<std::byte*>(stored.data()));
  stored.resize(bytes);
  return stored;
}

using Bytes = std::vector<uint8_t>;

TEST(Blend, OffStoresTheSource) {
  EXPECT_EQ(write(registers(Format::R8G8B8A8_UNORM), {{1, 0.5f, -3, kNan}}, {1, 2, 3, 4}),
            (Bytes{255, 128, 0, 0}));
  EXPECT_EQ(write(registers(Format::B8G8R8A8_UNORM), {{1, 0.5f, 0, 1}}, {1, 2, 3, 4}),
            (Bytes{0, 128, 255, 255}));
  EXPECT_FALSE(needs_destination(make_target_state(registers(Format::R8G8B8A8_UNORM), 0)));
}

TEST(Blend, AlphaBlending) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kSrcAlpha, BlendFactor::kOneMinusSrcAlpha);
  // 1 × 0.25 + 0.4 × 0.75 = 0.55 → 140.25; alpha 0.0625 + 0.75 = 0.8125 → 207.1875
  EXPECT_EQ(write(r, {{1, 0, 0.5f, 0.25f}}, {102, 102, 102, 255}), (Bytes{140, 77, 108, 207}));
  EXPECT_TRUE(needs_destination(make_target_state(r, 0)));
}

TEST(Blend, WriteMaskKeepsComponents) {
  ColorRegisters r = registers(Format::B8G8R8A8_UNORM);
  r.target[0].write_mask = 0b0101;  // R and B
  EXPECT_EQ(write(r, {{1, 1, 1, 1}}, {10, 20, 30, 40}), (Bytes{255, 20, 255, 40}));
  EXPECT_TRUE(needs_destination(make_target_state(r, 0)));
  r.target[0].write_mask = 0;
  EXPECT_FALSE(make_target_state(r, 0).enabled);
  EXPECT_EQ(write(r, {{1, 1, 1, 1}}, {10, 20, 30, 40}), (Bytes{10, 20, 30, 40}));
  ColorRegisters packed = registers(Format::R5G6B5_UNORM_PACK16);
  packed.target[0].write_mask = 0b1010;  // G, and A, which the format lacks
  EXPECT_EQ(write(packed, {{1, 1, 1, 1}}, {0, 0}), (Bytes{0xe0, 0x07}));
}

TEST(Blend, AMaskOfAllChannelsOfTheFormatReadsNothing) {
  ColorRegisters r = registers(Format::R8_UNORM);
  r.target[0].write_mask = 1;
  EXPECT_FALSE(needs_destination(make_target_state(r, 0)));
  r.target[0].write_mask = 14;
  EXPECT_FALSE(make_target_state(r, 0).enabled);
}

// Vulkan "Blend Factors", as formulas.
Rgba expected_factor(BlendFactor factor, Rgba s, Rgba s1, Rgba d, Rgba k) {
  const auto all = [](float v) { return Rgba{{v, v, v, v}}; };
  const auto inverse = [](Rgba v) {
    return Rgba{{1 - v.value[0], 1 - v.value[1], 1 - v.value[2], 1 - v.value[3]}};
  };
  switch (factor) {
    case BlendFactor::kZero:
      return all(0);
    case BlendFactor::kOne:
      return all(1);
    case BlendFactor::kSrcColor:
      return s;
    case BlendFactor::kOneMinusSrcColor:
      return inverse(s);
    case BlendFactor::kDstColor:
      return d;
    case BlendFactor::kOneMinusDstColor:
      return inverse(d);
    case BlendFactor::kSrcAlpha:
      return all(s.value[3]);
    case BlendFactor::kOneMinusSrcAlpha:
      return inverse(all(s.value[3]));
    case BlendFactor::kDstAlpha:
      return all(d.value[3]);
    case BlendFactor::kOneMinusDstAlpha:
      return inverse(all(d.value[3]));
    case BlendFactor::kConstantColor:
      return k;
    case BlendFactor::kOneMinusConstantColor:
      return inverse(k);
    case BlendFactor::kConstantAlpha:
      return all(k.value[3]);
    case BlendFactor::kOneMinusConstantAlpha:
      return inverse(all(k.value[3]));
    case BlendFactor::kSrcAlphaSaturate: {
      const float f = std::min(s.value[3], 1 - d.value[3]);
      return {{f, f, f, 1}};
    }
    case BlendFactor::kSrc1Color:
      return s1;
    case BlendFactor::kOneMinusSrc1Color:
      return inverse(s1);
    case BlendFactor::kSrc1Alpha:
      return all(s1.value[3]);
    case BlendFactor::kOneMinusSrc1Alpha:
      return inverse(all(s1.value[3]));
  }
  return all(0);
}

double expected_result(BlendOp op, double s, double sf, double d, double df) {
  switch (op) {
    case BlendOp::kAdd:
      return s * sf + d * df;
    case BlendOp::kSubtract:
      return s * sf - d * df;
    case BlendOp::kReverseSubtract:
      return d * df - s * sf;
    case BlendOp::kMin:
      return std::min(s, d);
    case BlendOp::kMax:
      return std::max(s, d);
  }
  return 0;
}

TEST(Blend, EveryFactorWithEveryOperation) {
  const Rgba s{{0.75f, 0.5f, 0.25f, 0.625f}}, s1{{0.125f, 0.375f, 0.875f, 0.5f}};
  const Rgba k{{0.25f, 0.75f, 0.0625f, 0.9375f}};
  const Bytes stored{51, 102, 204, 153};
  const Rgba d{{0.2f, 0.4f, 0.8f, 0.6f}};
  for (uint32_t sf = 0; sf <= 18; sf++) {
    for (uint32_t df = 0; df <= 18; df++) {
      for (uint32_t op = 0; op <= 4; op++) {
        ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
        std::copy(k.value, k.value + 4, r.blend_constant);
        set_blend(r, static_cast<BlendFactor>(sf), static_cast<BlendFactor>(df), static_cast<BlendOp>(op));
        const Bytes result = write(r, s, stored, s1);
        const Rgba fs = expected_factor(static_cast<BlendFactor>(sf), s, s1, d, k);
        const Rgba fd = expected_factor(static_cast<BlendFactor>(df), s, s1, d, k);
        for (int c = 0; c < 4; c++) {
          const double exact =
              expected_result(static_cast<BlendOp>(op), s.value[c], fs.value[c], d.value[c], fd.value[c]);
          const double code = std::clamp(exact, 0.0, 1.0) * 255;
          ASSERT_NEAR(result[c], code, 0.5001) << sf << " " << df << " " << op << " " << c;
        }
      }
    }
  }
}

TEST(Blend, ColorAndAlphaAreSeparate) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kOne, BlendFactor::kZero);
  r.target[0].alpha_source = static_cast<uint32_t>(BlendFactor::kZero);
  r.target[0].alpha_destination = static_cast<uint32_t>(BlendFactor::kOne);
  EXPECT_EQ(write(r, {{1, 0, 1, 0}}, {1, 2, 3, 4}), (Bytes{255, 0, 255, 4}));
}

TEST(Blend, FixedPointClampsItsInputs) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kOne, BlendFactor::kOne, BlendOp::kReverseSubtract);
  EXPECT_EQ(write(r, {{5, -5, kNan, 0}}, {255, 100, 100, 100}), (Bytes{0, 100, 100, 100}));
  set_blend(r, BlendFactor::kConstantColor, BlendFactor::kZero);
  r.blend_constant[0] = 7;
  EXPECT_EQ(write(r, {{0.2f, 0, 0, 0}}, {0, 0, 0, 0})[0], 51);
}

// Vulkan "Blending": for fixed-point targets both sources are clamped.
TEST(Blend, FixedPointClampsTheSecondSource) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kSrc1Color, BlendFactor::kZero);
  const Rgba half{{0.5f, 0.5f, 0.5f, 0.5f}}, wild{{2, -1, kNan, 100}};
  EXPECT_EQ(write(r, half, {0, 0, 0, 0}, wild), (Bytes{128, 0, 0, 128}));
  set_blend(r, BlendFactor::kOneMinusSrc1Alpha, BlendFactor::kSrc1Alpha);
  EXPECT_EQ(write(r, half, {40, 40, 40, 40}, wild), (Bytes{40, 40, 40, 40}));
  ColorRegisters snorm = registers(Format::R8G8B8A8_SNORM);
  set_blend(snorm, BlendFactor::kSrc1Color, BlendFactor::kZero);
  EXPECT_EQ(write(snorm, half, {0, 0, 0, 0}, {{-3, 3, 0, 0}}), (Bytes{0xc0, 64, 0, 0}));  // 63.5 to even
  ColorRegisters real = registers(Format::R32_SFLOAT);
  set_blend(real, BlendFactor::kSrc1Color, BlendFactor::kZero);
  const float doubled = 1;
  const Bytes stored = write(real, half, {0, 0, 0, 0}, wild);
  EXPECT_EQ(std::memcmp(stored.data(), &doubled, 4), 0) << "float targets are not clamped";
}

TEST(Blend, SnormClampsToMinusOne) {
  ColorRegisters r = registers(Format::R8G8B8A8_SNORM);
  set_blend(r, BlendFactor::kOne, BlendFactor::kOne);
  EXPECT_EQ(write(r, {{-9, 0.5f, 9, 0}}, {0, 0, 0, 0}), (Bytes{0x81, 64, 0x7f, 0}));  // 63.5 to even
}

TEST(Blend, FloatTargetsDoNotClamp) {
  ColorRegisters r = registers(Format::R32_SFLOAT);
  set_blend(r, BlendFactor::kOne, BlendFactor::kOne);
  Bytes stored(4);
  const float before = 3, after = 103;
  std::memcpy(stored.data(), &before, 4);
  const Bytes result = write(r, {{100, 0, 0, 0}}, stored);
  EXPECT_EQ(std::memcmp(result.data(), &after, 4), 0);
}

TEST(Blend, UnreadElementsDoNotMatter) {
  ColorRegisters r = registers(Format::R16G16B16A16_SFLOAT);
  set_blend(r, BlendFactor::kSrcAlpha, BlendFactor::kZero);
  EXPECT_FALSE(needs_destination(make_target_state(r, 0)));
  EXPECT_EQ(write(r, {{1, 2, 4, 0.5f}}, Bytes(8, 0xff)), write(r, {{1, 2, 4, 0.5f}}, Bytes(8, 0)));
}

TEST(Blend, SrgbBlendsLinearValues) {
  ColorRegisters r = registers(Format::R8G8B8A8_SRGB);
  set_blend(r, BlendFactor::kSrcAlpha, BlendFactor::kOneMinusSrcAlpha);
  // Half white over black: linear 0.5 is code 188; alpha is not encoded.
  EXPECT_EQ(write(r, {{1, 1, 1, 0.5f}}, {0, 0, 0, 0}), (Bytes{188, 188, 188, 64}));
}

TEST(Blend, MissingAlphaReadsAsOne) {
  ColorRegisters r = registers(Format::R5G6B5_UNORM_PACK16);
  set_blend(r, BlendFactor::kDstAlpha, BlendFactor::kZero);
  EXPECT_EQ(write(r, {{1, 0, 0, 0}}, {0, 0}), (Bytes{0x00, 0xf8}));
}

TEST(Blend, IntegerFormatsDoNotBlend) {
  ColorRegisters r = registers(Format::R8G8B8A8_UINT);
  set_blend(r, BlendFactor::kZero, BlendFactor::kZero);
  const TargetState target = make_target_state(r, 0);
  EXPECT_FALSE(target.blend);
  const uint32_t source[4] = {1, 2, 3, 400};
  std::byte element[4]{};
  write_pixel(target, source, source, element);
  EXPECT_EQ(std::to_integer<int>(element[2]), 3);
  EXPECT_EQ(std::to_integer<int>(element[3]), 255);
}

// Vulkan "Multisample Coverage": alpha to one applies only to fixed and floating point.
TEST(Blend, AlphaToOneLeavesIntegersAlone) {
  ColorRegisters r = registers(Format::R8G8B8A8_UINT);
  const uint32_t source[4] = {1, 2, 3, 4};
  std::byte texel[kMaxTexelBytes] = {};
  write_pixel(make_target_state(r, 0, true), source, source, texel);
  EXPECT_EQ(texel[3], std::byte{4});
  r = registers(Format::R8G8B8A8_UNORM);
  write_pixel(make_target_state(r, 0, true), source, source, texel);
  EXPECT_EQ(texel[3], std::byte{255});
}

TEST(LogicOp, EveryOperation) {  // Vulkan "Logical Operations": on s = 0011, d = 0101
  const uint32_t expected[16] = {0b0000, 0b0001, 0b0010, 0b0011, 0b0100, 0b0101, 0b0110, 0b0111,
                                 0b1000, 0b1001, 0b1010, 0b1011, 0b1100, 0b1101, 0b1110, 0b1111};
  for (uint32_t op = 0; op < 16; op++)
    EXPECT_EQ(logic_operation(static_cast<LogicOp>(op), 0b0011, 0b0101) & 15, expected[op]) << op;
}

TEST(LogicOp, ReplacesBlendingOfFixedPointTargets) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kZero, BlendFactor::kZero);
  r.logic_op_enable = 1;
  r.logic_op = static_cast<uint32_t>(LogicOp::kXor);
  r.target[0].write_mask = 7;
  EXPECT_EQ(write(r, {{1, 0.2f, 0, 1}}, {0x0f, 0xff, 0x33, 0x44}), (Bytes{0xf0, 0xcc, 0x33, 0x44}));
  ColorRegisters srgb = registers(Format::R8G8B8A8_SRGB);
  srgb.logic_op_enable = 1;
  EXPECT_EQ(write(srgb, {{1, 1, 1, 1}}, {0, 0, 0, 0}), (Bytes{255, 255, 255, 255}));
}

// "Logical operations are not applied to floating-point or sRGB format color attachments", but blending is
// still disabled.
TEST(LogicOp, LeavesFloatTargetsAlone) {
  const std::pair<Format, Bytes> ones[] = {
      {Format::R32_SFLOAT, {0, 0, 0x80, 0x3f}},
      {Format::R16G16_SFLOAT, {0, 0x3c, 0, 0x3c}},
      {Format::B10G11R11_UFLOAT_PACK32, {0xc0, 0x03, 0x1e, 0x78}},
  };
  for (const auto& [format, one] : ones)
    for (const LogicOp op : {LogicOp::kClear, LogicOp::kXor, LogicOp::kCopyInverted, LogicOp::kNoOp}) {
      ColorRegisters r = registers(format);
      set_blend(r, BlendFactor::kZero, BlendFactor::kZero);
      r.logic_op_enable = 1;
      r.logic_op = static_cast<uint32_t>(op);
      EXPECT_EQ(write(r, {{1, 1, 1, 1}}, {0x12, 0x34, 0x56, 0x78}), one)
          << arch::format_info(format).name << ", operation " << static_cast<int>(op);
    }
}

TEST(Blend, UnknownNumbersAreHarmless) {
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, static_cast<BlendFactor>(1000), static_cast<BlendFactor>(0xffffffff),
            static_cast<BlendOp>(77));
  EXPECT_EQ(write(r, {{1, 1, 1, 1}}, {9, 9, 9, 9}), (Bytes{0, 0, 0, 0}));
}

// If every product is exact, the code is correctly rounded, so full-screen passes are reproducible.
TEST(Blend, AgreesWithLongDouble) {
  std::mt19937 random(7);
  ColorRegisters r = registers(Format::R8G8B8A8_UNORM);
  set_blend(r, BlendFactor::kSrcAlpha, BlendFactor::kOneMinusSrcAlpha);
  for (int i = 0; i < 50000; i++) {
    Rgba s{};
    Bytes stored(4);
    for (int c = 0; c < 4; c++) {
      s.value[c] = static_cast<float>(random()) / 4294967296.0f;
      stored[c] = static_cast<uint8_t>(random());
    }
    const Bytes result = write(r, s, stored);
    for (int c = 0; c < 4; c++) {
      const long double a = s.value[3];
      ASSERT_NEAR(result[c], (s.value[c] * a + stored[c] / 255.0L * (1 - a)) * 255, 0.5001);
    }
  }
}

}  // namespace
}  // namespace cutaway::func::blend_test
