#include "func/format/texel.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "func/format/numeric.h"

namespace cutaway::func::texel_test {
namespace {

using arch::Format;
using arch::format_info;
using arch::FormatInfo;
using arch::NumericKind;

using Texel = std::array<uint32_t, 4>;

Texel decode(Format format, std::vector<uint8_t> bytes) {
  Texel out{};
  bytes.resize(kMaxTexelBytes);
  decode_texel(format_info(format), reinterpret_cast<const std::byte*>(bytes.data()), out.data());
  return out;
}

std::vector<uint8_t> encode(Format format, const Texel& in) {
  std::vector<uint8_t> bytes(kMaxTexelBytes, 0xcd);
  encode_texel(format_info(format), in.data(), reinterpret_cast<std::byte*>(bytes.data()));
  for (size_t i = format_info(format).bytes; i < bytes.size(); i++) EXPECT_EQ(bytes[i], 0xcd);
  bytes.resize(format_info(format).bytes);
  return bytes;
}

Texel floats(float r, float g, float b, float a) {
  return {float_bits(r), float_bits(g), float_bits(b), float_bits(a)};
}

std::vector<Format> all_formats() {
  std::vector<Format> all;
  for (uint32_t i = 0; i < arch::kFormats; i++) all.push_back(static_cast<Format>(i));
  return all;
}

TEST(Texel, LiteralsOfColorFormats) {
  EXPECT_EQ(decode(Format::R8G8B8A8_UNORM, {255, 0, 51, 102}), floats(1, 0, 0.2f, 0.4f));
  EXPECT_EQ(decode(Format::B8G8R8A8_UNORM, {255, 0, 51, 102}), floats(0.2f, 0, 1, 0.4f));
  EXPECT_EQ(decode(Format::R8_UNORM, {255}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::R8G8_SNORM, {0x80, 0x7f}), floats(-1, 1, 0, 1));
  EXPECT_EQ(decode(Format::R8G8B8_USCALED, {255, 1, 2}), floats(255, 1, 2, 1));
  EXPECT_EQ(decode(Format::R16G16_SSCALED, {0xff, 0xff, 0, 0x80}), floats(-1, -32768, 0, 1));
  EXPECT_EQ(decode(Format::R8G8_UINT, {7, 255}), (Texel{7, 255, 0, 1}));
  EXPECT_EQ(decode(Format::R8G8_SINT, {7, 255}), (Texel{7, 0xffffffff, 0, 1}));
  EXPECT_EQ(decode(Format::R5G6B5_UNORM_PACK16, {0x00, 0xf8}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::A1R5G5B5_UNORM_PACK16, {0x1f, 0x80}), floats(0, 0, 1, 1));
  EXPECT_EQ(decode(Format::A4R4G4B4_UNORM_PACK16, {0x0f, 0x30}), floats(0, 0, 1, 0.2f));
  EXPECT_EQ(decode(Format::A4B4G4R4_UNORM_PACK16, {0x0f, 0x30}), floats(1, 0, 0, 0.2f));
  EXPECT_EQ(decode(Format::R16_SFLOAT, {0x00, 0x3c}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::A2B10G10R10_UNORM_PACK32, {0xff, 0x03, 0, 0xc0}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::B10G11R11_UFLOAT_PACK32, {0xc0, 0x03, 0, 0}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::R8G8B8A8_SRGB, {255, 0, 0, 51}), floats(1, 0, 0, 0.2f));
  EXPECT_EQ(decode(Format::R32G32_SFLOAT, {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}), floats(1, 2, 0, 1));
}

TEST(Texel, SharedExponent) {  // E5B9G9R9: value = mantissa × 2^(exponent - 24)
  EXPECT_EQ(decode(Format::E5B9G9R9_UFLOAT_PACK32, {0x00, 0x01, 0, 16 << 3}), floats(1, 0, 0, 1));
  EXPECT_EQ(encode(Format::E5B9G9R9_UFLOAT_PACK32, floats(1, 0, 0, 1)),
            (std::vector<uint8_t>{0x00, 0x01, 0, 16 << 3}));
  const Texel most = decode(Format::E5B9G9R9_UFLOAT_PACK32,
                            encode(Format::E5B9G9R9_UFLOAT_PACK32, floats(1e9f, -1, 65408, 0)));
  EXPECT_EQ(most, floats(65408, 0, 65408, 1));
}

TEST(Texel, DepthAndStencil) {
  EXPECT_EQ(decode(Format::D16_UNORM, {0xff, 0xff}), floats(1, 0, 0, 1));
  EXPECT_EQ(decode(Format::D24_UNORM_S8_UINT, {0xff, 0xff, 0xff, 7})[0], kFloatOne);
  EXPECT_EQ(decode(Format::X8_D24_UNORM_PACK32, {0, 0, 0, 0xff})[0], 0u);
  EXPECT_EQ(decode(Format::D32_SFLOAT_S8_UINT, {0, 0, 0x80, 0x3f, 9, 0, 0, 0})[0], kFloatOne);
  EXPECT_EQ(decode(Format::S8_UINT, {9}), (Texel{9, 0, 0, 1}));
  EXPECT_EQ(encode(Format::D24_UNORM_S8_UINT, {kFloatOne, 5, 0, 0}),
            (std::vector<uint8_t>{255, 255, 255, 5}));
}

TEST(Texel, EncodingOfIntegersClamps) {
  EXPECT_EQ(encode(Format::R8_UINT, {300, 0, 0, 0}), (std::vector<uint8_t>{255}));
  EXPECT_EQ(encode(Format::R8_SINT, {static_cast<uint32_t>(-300), 0, 0, 0}), (std::vector<uint8_t>{0x80}));
  EXPECT_EQ(encode(Format::R32_SINT, {0x80000000, 0, 0, 0}), (std::vector<uint8_t>{0, 0, 0, 0x80}));
  EXPECT_EQ(encode(Format::R8_USCALED, {float_bits(256), 0, 0, 0}), (std::vector<uint8_t>{255}));
}

// Decoding and encoding return the same bits: every element of formats of up to 16 bits, samples of the
// others.
TEST(Texel, RoundTripOfEveryFormat) {
  std::mt19937 random(3);
  for (Format format : all_formats()) {
    const FormatInfo& info = format_info(format);
    if (texel_layout(info) == TexelLayout::kNone || info.shared_exponent_bits || info.compressed ||
        !info.is_color())
      continue;
    const bool all = info.bytes <= 2;
    const uint32_t count = all ? 1u << (8 * info.bytes) : 20000;
    for (uint32_t i = 0; i < count; i++) {
      std::vector<uint8_t> bytes(info.bytes);
      for (uint32_t b = 0; b < info.bytes; b++)
        bytes[b] = static_cast<uint8_t>(all ? i >> (8 * b) : random());
      const Texel first = decode(format, bytes);
      const std::vector<uint8_t> again = encode(format, first);
      const Texel second = decode(format, again);
      bool nan = false;
      for (uint32_t c = 0; c < 4; c++) nan |= !info.is_integer() && is_nan_bits(first[c]);
      if (nan) continue;
      ASSERT_EQ(second, first) << info.name;
      ASSERT_TRUE(again == bytes || info.kind == NumericKind::kSnorm) << info.name;
    }
  }
}

// The fast paths give the general one's results.
TEST(Texel, ShortLayoutsAgreeWithTheGeneralOne) {
  std::mt19937 random(4);
  for (Format format : all_formats()) {
    const FormatInfo& info = format_info(format);
    const TexelLayout layout = texel_layout(info);
    if (layout == TexelLayout::kNone || layout == TexelLayout::kGeneric) continue;
    for (int i = 0; i < 2000; i++) {
      std::array<std::byte, kMaxTexelBytes> bytes{}, fast{}, slow{};
      for (auto& byte : bytes) byte = static_cast<std::byte>(random());
      Texel a{}, b{};
      decode_texel(info, layout, bytes.data(), a.data());
      decode_texel(info, TexelLayout::kGeneric, bytes.data(), b.data());
      ASSERT_EQ(a, b) << info.name;
      Texel in;
      for (auto& value : in)
        value =
            i % 2 ? static_cast<uint32_t>(random()) : float_bits(static_cast<float>(random() % 1000) / 999);
      encode_texel(info, layout, in.data(), fast.data());
      encode_texel(info, TexelLayout::kGeneric, in.data(), slow.data());
      ASSERT_EQ(fast, slow) << info.name;
    }
  }
}

TEST(Texel, UndecodableFormatsGiveBlack) {
  EXPECT_EQ(decode(Format::BC1_RGB_UNORM_BLOCK, {1, 2, 3}), floats(0, 0, 0, 1));
  EXPECT_EQ(decode(Format::R64_SFLOAT, {1, 2, 3}), floats(0, 0, 0, 1));
  EXPECT_EQ(decode(Format::UNDEFINED, {}), floats(0, 0, 0, 1));
}

// Formats that Vulkan requires of every implementation ("Required Format Support").
TEST(Capabilities, RequiredFormats) {
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB, Format::B8G8R8A8_UNORM,
                        Format::B8G8R8A8_SRGB, Format::A2B10G10R10_UNORM_PACK32, Format::R16G16B16A16_SFLOAT,
                        Format::R8_UNORM, Format::R8G8_UNORM, Format::R16_SFLOAT, Format::R16G16_SFLOAT,
                        Format::A8B8G8R8_UNORM_PACK32, Format::R5G6B5_UNORM_PACK16}) {
    EXPECT_TRUE(can_filter(format_info(format)));
    EXPECT_TRUE(can_blend(format_info(format)));
  }
  for (Format format : {Format::R32_UINT, Format::R32G32B32A32_SINT, Format::R8G8B8A8_UINT}) {
    EXPECT_TRUE(can_sample(format_info(format)));
    EXPECT_TRUE(can_render(format_info(format)));
    EXPECT_FALSE(can_filter(format_info(format)));
    EXPECT_FALSE(can_blend(format_info(format)));
  }
  for (Format format : {Format::R32G32B32_SFLOAT, Format::R8G8B8A8_USCALED, Format::R16G16_SSCALED,
                        Format::A2B10G10R10_SNORM_PACK32, Format::R32_SFLOAT})
    EXPECT_TRUE(can_vertex(format_info(format)));
  for (Format format : {Format::D16_UNORM, Format::X8_D24_UNORM_PACK32, Format::D32_SFLOAT, Format::S8_UINT,
                        Format::D24_UNORM_S8_UINT, Format::D32_SFLOAT_S8_UINT})
    EXPECT_TRUE(can_depth_stencil(format_info(format)));
}

TEST(Capabilities, UnsupportedFormats) {
  EXPECT_TRUE(can_filter(format_info(Format::E5B9G9R9_UFLOAT_PACK32)));
  EXPECT_FALSE(can_render(format_info(Format::E5B9G9R9_UFLOAT_PACK32)));
  EXPECT_FALSE(can_sample(format_info(Format::R8G8B8_UNORM)));  // 3 bytes straddle cache lines
  EXPECT_TRUE(can_filter(format_info(Format::BC1_RGBA_UNORM_BLOCK)));
  EXPECT_FALSE(can_render(format_info(Format::BC1_RGBA_UNORM_BLOCK)));
  EXPECT_FALSE(can_texel_buffer(format_info(Format::BC7_UNORM_BLOCK)));
  EXPECT_TRUE(can_texel_buffer(format_info(Format::R32G32B32_SFLOAT)));
  EXPECT_FALSE(can_texel_buffer(format_info(Format::R8G8B8_UNORM)));
  EXPECT_FALSE(can_vertex(format_info(Format::R64_SFLOAT)));
  EXPECT_FALSE(can_vertex(format_info(Format::UNDEFINED)));
  EXPECT_FALSE(can_filter(format_info(Format::S8_UINT)));
  EXPECT_FALSE(can_render(format_info(Format::D16_UNORM)));
}

}  // namespace
}  // namespace cutaway::func::texel_test
