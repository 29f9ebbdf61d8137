#include <gtest/gtest.h>

#include "arch/surface.h"

namespace cutaway::arch::surface_pages_test {
namespace {

Surface in_pages(Format format, uint32_t width, uint32_t height) {
  Surface s{};
  s.format = static_cast<uint32_t>(format);
  s.type = Surface::make_type(SurfaceType::k2D, Tiling::kTiled) | Surface::kInPages;
  s.width = width, s.height = height, s.depth = 1;
  s.levels = s.layers = 1;
  return s;
}

TEST(SurfaceInPages, RowsOfTilesStartAtPages) {
  Surface s = in_pages(Format::R8G8B8A8_UNORM, 300, 20);
  EXPECT_TRUE(s.in_pages());
  EXPECT_EQ(s.tiling(), Tiling::kTiled);
  s.levels = 3, s.layers = 2;
  // 38, 19 and 10 tiles of 256 bytes a row; 3, 2 and 1 rows.
  EXPECT_EQ(level_layout(s, 0).row_pitch, 3 * kSurfacePage);
  EXPECT_EQ(level_layout(s, 1).row_pitch, 2 * kSurfacePage);
  EXPECT_EQ(level_layout(s, 2).row_pitch, 1 * kSurfacePage);
  EXPECT_EQ(level_layout(s, 1).offset, 9 * kSurfacePage);
  EXPECT_EQ(level_layout(s, 2).offset, 13 * kSurfacePage);
  EXPECT_EQ(layer_pitch(s), 14 * kSurfacePage);
  EXPECT_EQ(surface_bytes(s), 28 * kSurfacePage);
}

TEST(SurfaceInPages, SlicesStartAtPages) {
  Surface s = in_pages(Format::R32G32B32A32_SFLOAT, 40, 9);
  s.type = (s.type & ~0xffu) | static_cast<uint32_t>(SurfaceType::k3D);
  s.depth = 3;
  EXPECT_EQ(level_layout(s, 0).slice_pitch, 2 * 2 * kSurfacePage);
  EXPECT_EQ(element_address(s, level_layout(s, 0), 32, 8, 2, 0), (2 * 4 + 2 + 1) * kSurfacePage);
}

}  // namespace
}  // namespace cutaway::arch::surface_pages_test
