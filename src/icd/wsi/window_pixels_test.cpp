#include "icd/wsi/window_pixels.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::icd {
namespace {

// Every pixel lies at its place, also in the tiles that the right and lower edges cut.
TEST(WindowPixels, LieAtTheirPlaces) {
  for (const auto format : {arch::Format::B8G8R8A8_UNORM, arch::Format::R8G8B8A8_SRGB})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
      for (const uint32_t width : {21u, 24u, 3u}) {
        arch::Surface surface{};
        surface.format = static_cast<uint32_t>(format);
        surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, tiling);
        surface.width = width, surface.height = 11, surface.depth = 1;
        surface.levels = surface.level_count = surface.layers = surface.layer_count = 1;
        surface.swizzle = arch::kSwizzleIdentity;
        // The surface ends where mapped memory does.
        arch::Memory memory;
        memory.map(0, 16 * arch::kPageBytes);
        surface.address = 16 * arch::kPageBytes - arch::surface_bytes(surface);
        const arch::LevelLayout level = arch::level_layout(surface, 0);
        for (uint32_t y = 0; y < surface.height; y++)
          for (uint32_t x = 0; x < width; x++)
            memory.write_as<uint32_t>(arch::element_address(surface, level, x, y, 0, 0),
                                      0xff000000 | x << 16 | y << 8 | 7);
        std::vector<uint32_t> pixels(size_t{width} * surface.height);
        read_window_pixels(surface, memory, pixels);
        const bool red_first = format == arch::Format::R8G8B8A8_SRGB;
        for (uint32_t y = 0; y < surface.height; y++)
          for (uint32_t x = 0; x < width; x++)
            ASSERT_EQ(pixels[y * width + x],
                      0xff000000 | (red_first ? 7 << 16 | y << 8 | x : x << 16 | y << 8 | 7))
                << x << ", " << y;
        EXPECT_EQ(memory.faults(), 0u);
      }
}

}  // namespace
}  // namespace cutaway::icd
