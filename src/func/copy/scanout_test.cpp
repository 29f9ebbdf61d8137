#include "func/copy/scanout.h"

#include <gtest/gtest.h>
#include <vector>

#include "func/texture/image_for_test.h"

namespace cutaway::func {
namespace {

using arch::Format;
using arch::Tiling;

arch::Picture scan_out(const TestImage& image) {
  EXPECT_EQ(scanout_error(image.surface), nullptr);
  const TextureView view = make_texture_view(image.surface);
  arch::Picture picture = make_picture(view);
  for (uint32_t row = 0; row < scanout_rows(view); row++)
    for (uint32_t column = 0; column < scanout_columns(view); column++) {
      const ScanoutTile tile = plan_scanout(view, column, row);
      std::vector<std::byte> bytes(tile.bytes());
      for (uint32_t i = 0; i < tile.segments; i++)
        image.memory.read(tile.address[i], bytes.data() + i * tile.segment_bytes, tile.segment_bytes);
      finish_scanout(view, tile, bytes.data(), picture);
    }
  EXPECT_EQ(image.memory.faults(), 0u);
  return picture;
}

TestImage::Texel pattern(uint32_t x, uint32_t y, uint32_t, uint32_t) {
  return {static_cast<float>(x) / 255, static_cast<float>(y) / 255, static_cast<float>(x + y) / 255, 0};
}

TEST(Scanout, ShowsEveryPixelOfOddSizes) {
  for (Format format : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R32G32B32A32_SFLOAT,
                        Format::R16G16B16A16_UNORM})
    for (Tiling tiling : {Tiling::kLinear, Tiling::kTiled}) {
      TestImage image(format, tiling, 21, 11);
      image.fill(pattern);
      const arch::Picture picture = scan_out(image);
      ASSERT_EQ(picture.width, 21u);
      ASSERT_EQ(picture.height, 11u);
      for (uint32_t y = 0; y < 11; y++)
        for (uint32_t x = 0; x < 21; x++) {
          const uint8_t* pixel = &picture.rgba[(y * 21 + x) * 4];
          ASSERT_EQ(pixel[0], x);
          ASSERT_EQ(pixel[1], y);
          ASSERT_EQ(pixel[2], x + y);
          ASSERT_EQ(pixel[3], 255);
        }
    }
}

TEST(Scanout, SrgbCodesPassAsTheyAre) {
  TestImage image(Format::B8G8R8A8_SRGB, Tiling::kTiled, 1, 1);
  image.memory.write_as<uint32_t>(image.surface.address, 0x00112233);
  const arch::Picture picture = scan_out(image);
  EXPECT_EQ(picture.rgba, (std::vector<uint8_t>{0x11, 0x22, 0x33, 255}));
}

TEST(Scanout, SwizzlesAndConstants) {
  for (const Format format : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R16G16B16A16_UNORM}) {
    TestImage image(format, Tiling::kTiled, 5, 1);
    image.fill([](uint32_t x, uint32_t, uint32_t, uint32_t) {
      return TestImage::Texel{static_cast<float>(x) / 255, 17.0f / 255, 34.0f / 255, 51.0f / 255};
    });
    image.surface.swizzle = 0x0532;  // B, A, one
    const arch::Picture picture = scan_out(image);
    for (uint32_t x = 0; x < 5; x++)
      EXPECT_EQ(std::vector<uint8_t>(&picture.rgba[4 * x], &picture.rgba[4 * x] + 4),
                (std::vector<uint8_t>{34, 51, 255, 255}));
    image.surface.swizzle = 0x0104;  // zero, R, G
    const arch::Picture other = scan_out(image);
    for (uint32_t x = 0; x < 5; x++)
      EXPECT_EQ(std::vector<uint8_t>(&other.rgba[4 * x], &other.rgba[4 * x] + 4),
                (std::vector<uint8_t>{0, static_cast<uint8_t>(x), 17, 255}));
  }
}

TEST(Scanout, TiledTilesAreOneSegment) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 20, 20);
  const ScanoutTile tile = plan_scanout(make_texture_view(image.surface), 2, 1);
  EXPECT_EQ(tile.segments, 1u);
  EXPECT_EQ(tile.bytes(), 256u);
  EXPECT_EQ(tile.address[0], image.surface.address + (3 + 2) * 256);
  EXPECT_EQ(tile.width, 4u);
  EXPECT_EQ(tile.height, 8u);
}

TEST(Scanout, Errors) {
  TestImage image(Format::R8G8B8A8_UINT, Tiling::kTiled, 4, 4);
  EXPECT_STREQ(scanout_error(image.surface), "the format cannot be shown");
  EXPECT_STREQ(scanout_error(arch::Surface{}), "no surface");
}

}  // namespace
}  // namespace cutaway::func
