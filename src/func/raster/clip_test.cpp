#include "func/raster/clip.h"

#include <gtest/gtest.h>
#include <limits>

#include "func/raster/raster_testing.h"

namespace cutaway::func {
namespace {

using namespace testing;

constexpr int kSize = 64;

int pixels(const arch::Registers& r, const std::array<Position, 3>& corners) {
  Primitive primitive;
  if (set_up(r, corners, primitive) != SetupResult::kAccepted) return 0;
  Picture picture(kSize, kSize);
  picture.draw(primitive);
  return picture.total();
}

// VK_EXT_depth_clip_control: the volume begins at z = -w instead of 0.
TEST(Clip, FromMinusOneOrFromZero) {
  arch::Registers r = registers(kSize, kSize);
  // A triangle whose depth goes from -1.5 at the left side to 1.5 at the right.
  const std::array corners{at_window(r, 0, 0, -1.5f), at_window(r, 64, 0, 1.5f), at_window(r, 0, 64, -1.5f)};
  const int whole = pixels(r, corners);
  r.raster.depth_clip = arch::kClipFromMinusOne;  // no clipping
  EXPECT_EQ(pixels(r, corners), whole);
  for (const uint32_t clip :
       {uint32_t{arch::kClipDepth}, uint32_t{arch::kClipDepth | arch::kClipFromMinusOne}}) {
    r.raster.depth_clip = clip;
    // z passes -1 at x = 10.67, 0 at 32, 1 at 53.33.
    int expected = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize - y - 1; ++x) {
        const double z = (x + 0.5) / 64 * 3 - 1.5;
        expected += z >= (clip == arch::kClipDepth ? 0 : -1) && z <= 1;
      }
    EXPECT_NEAR(pixels(r, corners), expected, 64) << clip << ": but for the diagonal";
    EXPECT_EQ(clip_code(r, Position{0, 0, -0.5f, 1}.data(), nullptr) != 0, clip == arch::kClipDepth);
    EXPECT_NE(clip_code(r, Position{0, 0, -1.5f, 1}.data(), nullptr), 0u);
    EXPECT_NE(clip_code(r, Position{0, 0, 1.5f, 1}.data(), nullptr), 0u);
    // The same rule for lines.
    Primitive line;
    r.raster.line_mode = static_cast<uint32_t>(arch::LineMode::kBresenham);
    ASSERT_EQ(set_up(r, std::array{at_window(r, 0, 8.5, -1.5f), at_window(r, 64, 8.5, 1.5f)}, line),
              SetupResult::kAccepted);
    Picture picture(kSize, kSize);
    picture.draw(line);
    EXPECT_NEAR(picture.total(), clip == arch::kClipDepth ? 21 : 43, 1);
  }
}

TEST(Clip, Codes) {
  arch::Registers r = registers(64, 64);
  r.vertex_out.clip_distances = 3;
  const ClipDistances distances = {1, -1, std::numeric_limits<float>::quiet_NaN(), -1};
  const auto code = [&](Position p) { return clip_code(r, p.data(), distances) & ~(kClipUser * 0xff); };
  EXPECT_EQ(code({0, 0, 0, 1}), 0u);
  EXPECT_EQ(code({-2, 2, -1, 1}), kClipLeft | kClipBottom);
  EXPECT_EQ(code({2, -2, 2, 1}), kClipRight | kClipTop);
  EXPECT_TRUE(code({0, 0, 0, 0}) & kClipEye);
  r.raster.depth_clip = 1;
  EXPECT_EQ(code({0, 0, -1, 1}), kClipNear);
  EXPECT_EQ(code({0, 0, 2, 1}), kClipFar);
  EXPECT_EQ(clip_code(r, Position{0, 0, 0, 1}.data(), distances), kClipUser << 1 | kClipUser << 2);
}

TEST(Clip, IsNeededBeyondTheGuardBandOnly) {
  const arch::Registers r = registers(64, 64);
  const auto needs = [&](const std::array<Position, 3>& vertices) {
    float position[3][4];
    for (int v = 0; v < 3; ++v) std::copy(vertices[v].begin(), vertices[v].end(), position[v]);
    SetupInput input;
    input.position = position, input.vertices = 3;
    return needs_clipping(r, input);
  };
  EXPECT_FALSE(needs(triangle(r, -32000, 0, 32000, 0, 0, 32000)));
  EXPECT_TRUE(needs(triangle(r, -33000, 0, 32000, 0, 0, 32000)));
  auto behind = triangle(r, 0, 0, 64, 0, 0, 64);
  behind[2][3] = -1;
  EXPECT_TRUE(needs(behind));
}

}  // namespace
}  // namespace cutaway::func
