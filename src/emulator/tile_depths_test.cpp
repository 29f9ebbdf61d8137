#include "emulator/tile_depths.h"

#include <cstring>
#include <gtest/gtest.h>

#include "emulator/testing/region.h"
#include "emulator/tile_masks.h"

namespace cutaway::emulator {
namespace {

// A quad has the depths of its own pixels, whether few quads are covered or all.
TEST(TileDepths, AreThoseOfTheQuadsPixels) {
  testing::Region region(0, 0.5f);
  TileDepths few, all;
  const uint64_t covered = 0xf00f'0000'0000'00f0;  // quads 1, 12 and 15
  few.find(region.batch.primitives[0], 16, 8, covered);
  all.find(region.batch.primitives[0], 16, 8, ~uint64_t{0});
  EXPECT_FALSE(few.whole_tile());
  EXPECT_TRUE(all.whole_tile());
  each_quad(quads_with(covered), [&](uint32_t quad, uint32_t place) {
    float room[4], room_of_all[4];
    const float* z = few.of_quad(quad, place, room);
    EXPECT_EQ(std::memcmp(z, all.of_quad(quad, quad, room_of_all), 16), 0) << quad;
    for (int32_t lane = 0; lane < 4; lane++) {
      const auto x = static_cast<float>(16 + func::quad_x(quad) + (lane & 1)) + 0.5f;
      EXPECT_NEAR(z[lane], 0.5f * x / 64, 1e-6f) << quad << " " << lane;
    }
  });
}

}  // namespace
}  // namespace cutaway::emulator
