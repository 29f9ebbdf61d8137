#include "func/texture/quad_footprint.h"

#include "func/texture/wide_for_test.h"

// WideSampleTest compares the footprints of quads and lanes for all formats, wrapping modes, dimensions and
// levels of anisotropy.
namespace cutaway::func::quad_footprint_test {
namespace {

using QuadFootprintTest = WideSampleTest;

TEST_P(QuadFootprintTest, FindsPlainSamplesAtOnce) {
  using enum arch::Wrap;
  for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear}) {
    for (const auto wrap : {kRepeat, kClampToEdge}) {
      found_at_once_ = 0;
      check({.tiling = tiling, .wrap_u = wrap, .wrap_v = wrap, .offset = {3, -2, 0}}, 4000);
      EXPECT_GT(found_at_once_, 1500u);  // of 1,600 quads; a quarter have odd coordinates
    }
  }
}

TEST_P(QuadFootprintTest, FindsProbesAtOnce) {
  check({.op = isa::Opcode::kTxp, .anisotropy = 16}, 500);
  EXPECT_GT(found_at_once_, 5000u);
}

TEST_P(QuadFootprintTest, LeavesModesWithBordersToLanes) {
  check({.wrap_u = arch::Wrap::kClampToBorder, .wrap_v = arch::Wrap::kMirrorClampToEdge}, 300);
  EXPECT_LT(found_at_once_, 1000u);
}

CUTAWAY_ALL_PATHS(QuadFootprintTest);

TestQuad any_quad() {
  TestQuad quad;
  quad.set(0, 0, 0.1f, 0.2f, 0.1f, 0.2f);
  quad.set(0, 1, 0.3f, 0.3f, 0.4f, 0.4f);
  return quad;
}

TexturePlan plan_of(const TestImage& image, const TestQuad& quad, uint32_t mask, isa::TextureDim dim) {
  TexturePlan plan;
  plan_texture(make_texture_view(image.surface),
               test_sampler(arch::Filter::kLinear, arch::MipMode::kLinear, arch::Wrap::kRepeat), {.dim = dim},
               isa::Opcode::kTex, quad.operands, mask, plan);
  return plan;
}

// A lane that is masked out, even one with the first number, decides nothing.
TEST(QuadFootprintMaskTest, TakesLevelsOfActiveLanes) {
  const TestImage image(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 64, 64, 7);
  const TextureView view = make_texture_view(image.surface);
  const arch::Sampler sampler =
      test_sampler(arch::Filter::kLinear, arch::MipMode::kLinear, arch::Wrap::kRepeat);
  for (uint32_t mask = 1; mask < 16; mask++) {
    const TexturePlan plan = plan_of(image, any_quad(), mask, isa::TextureDim::k2D);
    ASSERT_TRUE(plan.by_quad);
    QuadFootprint found;
    for (uint32_t k = 0; k < 2; k++) {
      ASSERT_TRUE(quad_footprints(view, sampler, plan, k, found));
      for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
        if (!(mask >> lane & 1)) continue;
        EXPECT_EQ(found.of_lane(lane).location, texture_footprint(view, sampler, plan, lane, k).location);
      }
    }
  }
}

TEST(QuadFootprintMaskTest, LeavesOtherTexturesToLanes) {
  const TestImage plane(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 64, 64, 7);
  EXPECT_TRUE(plan_of(plane, any_quad(), 15, isa::TextureDim::k2D).by_quad);
  EXPECT_FALSE(plan_of(plane, any_quad(), 0, isa::TextureDim::k2D).by_quad);
  EXPECT_FALSE(plan_of(plane, any_quad(), 15, isa::TextureDim::k1D).by_quad);
  EXPECT_FALSE(plan_of(plane, any_quad(), 15, isa::TextureDim::k2DArray).by_quad);
  const TestImage cube(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 64, 64, 7, 6);
  EXPECT_FALSE(plan_of(cube, any_quad(), 15, isa::TextureDim::kCube).by_quad);
  TestImage pitched(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kLinear, 64, 64);
  pitched.surface.row_pitch = 1u << 26;  // 64 rows need 33 bits
  EXPECT_FALSE(plan_of(pitched, any_quad(), 15, isa::TextureDim::k2D).by_quad);
}

}  // namespace
}  // namespace cutaway::func::quad_footprint_test
