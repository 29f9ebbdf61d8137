#include "func/format/block.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "func/format/numeric.h"

namespace cutaway::func {
namespace {

using arch::Format;
using Block = std::vector<uint8_t>;
using Texel = std::array<float, 4>;

Texel decode(Format format, const Block& block, uint32_t texel) {
  const arch::FormatInfo& info = arch::format_info(format);
  EXPECT_EQ(block.size(), info.bytes);
  uint32_t bits[4];
  decode_block_texel(info, texel_layout(info), reinterpret_cast<const std::byte*>(block.data()), texel, bits);
  return {bits_float(bits[0]), bits_float(bits[1]), bits_float(bits[2]), bits_float(bits[3])};
}

// Red 0xf800 and blue 0x001f; texels 0 to 3 have the indices 0 to 3, the others 0.
const Block kRedToBlue = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
const Block kBlueToRed = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};

TEST(Block, FourColorsLieOnALine) {
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, kRedToBlue, 0), (Texel{1, 0, 0, 1}));
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, kRedToBlue, 1), (Texel{0, 0, 1, 1}));
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, kRedToBlue, 2), (Texel{170 / 255.0f, 0, 85 / 255.0f, 1}));
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, kRedToBlue, 3), (Texel{85 / 255.0f, 0, 170 / 255.0f, 1}));
}

TEST(Block, EndPointOrderSelectsThreeColorMode) {
  EXPECT_EQ(decode(Format::BC1_RGBA_UNORM_BLOCK, kBlueToRed, 2), (Texel{127 / 255.0f, 0, 127 / 255.0f, 1}));
  EXPECT_EQ(decode(Format::BC1_RGBA_UNORM_BLOCK, kBlueToRed, 3), (Texel{0, 0, 0, 0}));
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, kBlueToRed, 3), (Texel{0, 0, 0, 1}));
  // BC2 and BC3 always have four colors.
  Block opaque(16, 0xff);
  std::copy(kBlueToRed.begin(), kBlueToRed.end(), opaque.begin() + 8);
  EXPECT_EQ(decode(Format::BC2_UNORM_BLOCK, opaque, 3), (Texel{170 / 255.0f, 0, 85 / 255.0f, 1}));
}

TEST(Block, AlphaOfFourBitsAndOfARamp) {
  Block four(16, 0);
  four[1] = 0x70;  // texel 3
  EXPECT_EQ(decode(Format::BC2_UNORM_BLOCK, four, 3)[3], 7 * 17 / 255.0f);
  Block ramp(16, 0);
  ramp[0] = 200, ramp[1] = 60, ramp[2] = 0x02;  // texel 0: 6/7 of the first
  EXPECT_EQ(decode(Format::BC3_UNORM_BLOCK, ramp, 0)[3], 180 / 255.0f);
}

TEST(Block, Bc4AndBc5InterpolateExactly) {
  const Block rising = {10, 20, 0x3a, 0, 0, 0, 0, 0};  // texels 0, 1: indices 2 and 7
  EXPECT_EQ(decode(Format::BC4_UNORM_BLOCK, rising, 0), (Texel{12 / 255.0f, 0, 0, 1}));
  EXPECT_EQ(decode(Format::BC4_UNORM_BLOCK, rising, 1)[0], 1);
  // -128 means -1, like -127; index 6 is the least value.
  const Block low = {0x80, 0x81, 0x06, 0, 0, 0, 0, 0, 0x7f, 0x81, 0x04, 0, 0, 0, 0, 0};
  EXPECT_EQ(decode(Format::BC5_SNORM_BLOCK, low, 0)[0], -1);
  EXPECT_FLOAT_EQ(decode(Format::BC5_SNORM_BLOCK, low, 0)[1], (4 * 127 - 3 * 127) / (7 * 127.0f));
}

TEST(Block, WholeBlocksAreTheirTexels) {
  std::mt19937 random(5);
  using enum TexelLayout;
  for (const TexelLayout layout : {kBc1Rgb, kBc1Rgba, kBc2, kBc3, kBc7})
    for (int round = 0; round < 300; round++) {
      std::byte block[16];
      for (std::byte& byte : block) byte = static_cast<std::byte>(random());
      if (round % 5 == 0) std::memcpy(block + 2, block, 2), std::memcpy(block + 10, block + 8, 2);
      uint32_t texels[16];
      decode_whole_block(layout, block, texels);
      for (uint32_t i = 0; i < 16; i++) ASSERT_EQ(texels[i], decode_block_bytes(layout, block, i));
    }
}

TEST(Block, SrgbIsDecodedAfterTheBlock) {
  EXPECT_NEAR(decode(Format::BC1_RGB_SRGB_BLOCK, kRedToBlue, 2)[0], 0.402f, 0.001f);
}

// Mode 6 of BC7: 7 bits and a shared lowest bit per end point, 4-bit indices.
TEST(Block, ModeSixOfBc7) {
  Block block(16, 0);
  const auto put = [&block](uint32_t first, uint32_t bits, uint32_t value) {
    for (uint32_t i = 0; i < bits; i++)
      if (value >> i & 1) block[(first + i) / 8] |= static_cast<uint8_t>(1u << (first + i) % 8);
  };
  put(6, 1, 1);                                  // the mode
  put(7, 7, 100), put(14, 7, 20);                // red
  put(21, 7, 0), put(28, 7, 127);                // green
  put(49, 7, 127), put(56, 7, 127);              // alpha
  put(63, 1, 0), put(64, 1, 1);                  // lowest bits
  put(65, 3, 0), put(68, 4, 15), put(72, 4, 8);  // texels 0, 1, 2
  const auto bytes = [&](uint32_t texel) {
    const Texel value = decode(Format::BC7_UNORM_BLOCK, block, texel);
    std::array<int, 4> rounded{};
    for (uint32_t c = 0; c < 4; c++) rounded[c] = static_cast<int>(value[c] * 255 + 0.5f);
    return rounded;
  };
  EXPECT_EQ(bytes(0), (std::array<int, 4>{200, 0, 0, 254}));
  EXPECT_EQ(bytes(1), (std::array<int, 4>{41, 255, 1, 255}));
  EXPECT_EQ(bytes(2), (std::array<int, 4>{116, 135, 1, 255}));                       // weight 34/64
  EXPECT_EQ(decode(Format::BC7_UNORM_BLOCK, Block(16, 0), 5), (Texel{0, 0, 0, 0}));  // no mode
}

// Mode 11 (bits 00011) of BC6H: end points of 10 bits, not transformed.
TEST(Block, TenBitEndPointsOfBc6h) {
  Block block(16, 0);
  const auto put = [&block](uint32_t first, uint32_t bits, uint32_t value) {
    for (uint32_t i = 0; i < bits; i++)
      if (value >> i & 1) block[(first + i) / 8] |= static_cast<uint8_t>(1u << (first + i) % 8);
  };
  put(0, 5, 3);
  put(5, 10, 1023), put(15, 10, 512), put(25, 10, 0);  // first: red, green, blue
  put(35, 10, 0), put(45, 10, 512), put(55, 10, 1023);
  put(68, 4, 15);  // texel 1: the second end point
  // 0xffff × 31 / 64 is 0x7bff, the largest half; 512 gives (512 << 16 | 0x8000) >> 10 = 0x8020.
  EXPECT_EQ(decode(Format::BC6H_UFLOAT_BLOCK, block, 0),
            (Texel{65504, bits_float(half_to_bits(0x3e0f)), 0, 1}));
  EXPECT_EQ(decode(Format::BC6H_UFLOAT_BLOCK, block, 1),
            (Texel{0, bits_float(half_to_bits(0x3e0f)), 65504, 1}));
  Block reserved(16, 0xff);
  reserved[0] = 0x13;
  EXPECT_EQ(decode(Format::BC6H_SFLOAT_BLOCK, reserved, 3), (Texel{0, 0, 0, 1}));
}

// Subset 0 has texel 0, and each anchor is in its own subset.
TEST(Block, AnchorsLieInTheirSubsets) {
  for (uint32_t subsets = 2; subsets <= 3; subsets++)
    for (uint32_t partition = 0; partition < 64; partition++)
      for (uint32_t subset = 0; subset < subsets; subset++)
        EXPECT_EQ(block_subset(subsets, partition, block_anchor(subsets, partition, subset)), subset)
            << subsets << " " << partition;
}

}  // namespace
}  // namespace cutaway::func
