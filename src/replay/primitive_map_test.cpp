#include "replay/primitive_map.h"

#include <gtest/gtest.h>

namespace cutaway::replay {
namespace {

constexpr arch::Address kTarget = 0x1000;

arch::Surface row_of(uint32_t pixels) {
  arch::Surface surface{};
  surface.address = kTarget;
  surface.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM);
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kLinear);
  surface.width = pixels;
  surface.height = surface.depth = surface.levels = surface.layers = 1;
  surface.level_count = surface.layer_count = 1;
  return surface;
}

emulator::PixelWrite write(uint32_t x, uint32_t primitive) {
  return {.submission = 1, .draw = 1, .primitive = primitive, .address = kTarget + 4 * x, .bytes = 4};
}

struct Pixel {
  bool drawn, texel_tie, anisotropic;
  uint32_t who;  // without the mark bits
};

Pixel pixel(const PrimitiveMap& map, uint32_t x) {
  const arch::Picture picture = map.picture(row_of(4));
  const uint8_t* rgba = &picture.rgba[4 * x];
  const bool drawn = rgba[0] || rgba[1] || rgba[2];
  return {drawn, drawn && !(rgba[0] & 1), drawn && !(rgba[1] & 1),
          rgba[0] | 1u | (rgba[1] | 1u) << 8 | rgba[2] << 16u};
}

TEST(PrimitiveMap, TellsPrimitivesApart) {
  PrimitiveMap map;
  map.note(write(0, 5)), map.note(write(1, 5)), map.note(write(2, 6));
  EXPECT_EQ(pixel(map, 0).who, pixel(map, 1).who);
  EXPECT_NE(pixel(map, 0).who, pixel(map, 2).who);
  EXPECT_TRUE(pixel(map, 2).drawn);
  EXPECT_FALSE(pixel(map, 3).drawn);
  EXPECT_FALSE(pixel(map, 0).texel_tie || pixel(map, 0).anisotropic);
}

TEST(PrimitiveMap, BlendedPixelsIncludePrimitivesBelow) {
  PrimitiveMap map;
  emulator::PixelWrite tie = write(0, 1), anisotropic = write(1, 1);
  tie.texel_tie = anisotropic.anisotropic = true;
  map.note(tie), map.note(anisotropic);
  for (uint32_t x = 0; x < 3; x++) {
    emulator::PixelWrite over = write(x, 2);
    over.blended = true;
    map.note(over);
  }
  EXPECT_TRUE(pixel(map, 0).texel_tie);
  EXPECT_FALSE(pixel(map, 0).anisotropic);
  EXPECT_TRUE(pixel(map, 1).anisotropic);
  EXPECT_FALSE(pixel(map, 2).texel_tie || pixel(map, 2).anisotropic);
  EXPECT_EQ(pixel(map, 0).who, pixel(map, 1).who);
  EXPECT_NE(pixel(map, 1).who, pixel(map, 2).who);
  map.note(write(0, 3)), map.note(write(1, 3));
  EXPECT_FALSE(pixel(map, 0).texel_tie || pixel(map, 1).anisotropic);
  EXPECT_EQ(pixel(map, 0).who, pixel(map, 1).who);
}

}  // namespace
}  // namespace cutaway::replay
