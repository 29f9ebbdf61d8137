#include "arch/format.h"

#include <gtest/gtest.h>

namespace cutaway::arch {
namespace {

TEST(Format, ArrayFormatsListChannelsInMemoryOrder) {
  const FormatInfo& info = format_info(Format::B8G8R8A8_UNORM);
  EXPECT_EQ(info.name, "B8G8R8A8_UNORM");
  EXPECT_EQ(info.bytes, 4);
  EXPECT_EQ(info.channel[2].offset, 0);
  EXPECT_EQ(info.channel[0].offset, 16);
  EXPECT_EQ(info.channel[3].offset, 24);
  EXPECT_EQ(info.kind, NumericKind::kUnorm);
}

TEST(Format, PackedFormatsListChannelsFromTheHighestBit) {
  const FormatInfo& info = format_info(Format::A2R10G10B10_UNORM_PACK32);
  EXPECT_EQ(info.channel[3].offset, 30);
  EXPECT_EQ(info.channel[3].bits, 2);
  EXPECT_EQ(info.channel[2].offset, 0);
  EXPECT_EQ(format_info(Format::R5G6B5_UNORM_PACK16).channel[0].offset, 11);
  EXPECT_EQ(format_info(Format::A4R4G4B4_UNORM_PACK16).channel[3].offset, 12);
  EXPECT_EQ(format_info(Format::A4R4G4B4_UNORM_PACK16).channel[0].offset, 8);
  EXPECT_EQ(format_info(Format::A4B4G4R4_UNORM_PACK16).channel[0].offset, 0);
  EXPECT_EQ(format_info(Format::A4B4G4R4_UNORM_PACK16).bytes, 2);
  EXPECT_EQ(format_info(Format::E5B9G9R9_UFLOAT_PACK32).shared_exponent_bits, 5);
  EXPECT_EQ(format_info(Format::E5B9G9R9_UFLOAT_PACK32).channel[0].offset, 0);
}

TEST(Format, DepthIsBelowStencil) {
  const FormatInfo& info = format_info(Format::D24_UNORM_S8_UINT);
  EXPECT_EQ(info.bytes, 4);
  EXPECT_EQ(info.depth.bits, 24);
  EXPECT_EQ(info.stencil.offset, 24);
  EXPECT_EQ(format_info(Format::D32_SFLOAT_S8_UINT).bytes, 8);
  EXPECT_EQ(format_info(Format::D32_SFLOAT_S8_UINT).stencil.offset, 32);
  EXPECT_EQ(format_info(Format::X8_D24_UNORM_PACK32).bytes, 4);
  EXPECT_EQ(format_info(Format::S8_UINT).bytes, 1);
}

TEST(Format, BlockFormats) {
  EXPECT_EQ(format_info(Format::BC1_RGB_UNORM_BLOCK).bytes, 8);
  EXPECT_EQ(format_info(Format::BC3_SRGB_BLOCK).bytes, 16);
  EXPECT_EQ(format_info(Format::BC3_SRGB_BLOCK).kind, NumericKind::kSrgb);
  EXPECT_EQ(format_info(Format::BC6H_UFLOAT_BLOCK).kind, NumericKind::kUfloat);
}

TEST(Format, UnknownNumbersAreUndefined) {
  EXPECT_EQ(format_info(kFormats).bytes, 0);
  EXPECT_NE(format_info(kFormats - 1).bytes, 0);
  EXPECT_EQ(format_info(100000u).bytes, 0);
  EXPECT_EQ(format_info(Format::UNDEFINED).bytes, 0);
}

}  // namespace
}  // namespace cutaway::arch
