#include "func/rop/target_view.h"

#include <gtest/gtest.h>

namespace cutaway::func {
namespace {

arch::Surface surface(arch::SurfaceType type, arch::Tiling tiling) {
  arch::Surface s{};
  s.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM);
  s.type = arch::Surface::make_type(type, tiling);
  s.width = 40, s.height = 24;
  s.depth = type == arch::SurfaceType::k3D ? 6 : 1;
  s.levels = 3, s.level_count = 1;
  s.layers = s.layer_count = type == arch::SurfaceType::k3D ? 1 : 6;
  s.swizzle = arch::kSwizzleIdentity;
  s.address = 0x10000;
  return s;
}

// The view of a later layer equals that of a surface beginning there: of arrays a layer, of 3D surfaces a
// slice of the level.
TEST(TargetView, OfALayerIsWhereThatLayerLies) {
  for (const auto type : {arch::SurfaceType::k2D, arch::SurfaceType::k3D})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
      for (const uint32_t level : {0u, 1u})
        for (const uint32_t base : {0u, 1u})
          for (const uint32_t layer : {0u, 1u, 2u}) {
            arch::Surface from = surface(type, tiling), there = from;
            from.base_level = there.base_level = level;
            from.base_layer = base;
            there.base_layer = base + layer;
            const TargetView view = make_target_view(from).of_layer(layer),
                             expected = make_target_view(there);
            EXPECT_EQ(view.base, expected.base) << static_cast<int>(type) << ' ' << level << ' ' << layer;
            EXPECT_EQ(view.address(13, 9), expected.address(13, 9));
            EXPECT_EQ(view.base == make_target_view(from).base, layer == 0);
          }
}

}  // namespace
}  // namespace cutaway::func
