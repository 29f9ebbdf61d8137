#include "boxes/command_processor/depth_watch.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::depth_watch_test {
namespace {

constexpr MemoryRange kDepth{0x1000, 0x2000};

TEST(DepthWatch, LosesBoundsWhenAUsedSurfaceIsWritten) {
  DepthWatch watch;
  watch.written(kDepth);
  EXPECT_FALSE(watch.lost()) << "no surface has been used";
  watch.used(kDepth);
  watch.used(kDepth);
  EXPECT_FALSE(watch.lost());
  watch.written({0x2000, 0x3000});
  watch.written({0x800, 0x1000});
  EXPECT_FALSE(watch.lost());
  watch.written({0x1fff, 0x3000});
  EXPECT_TRUE(watch.lost());
  watch.forgotten();
  EXPECT_FALSE(watch.lost());
  watch.written(kDepth);
  EXPECT_FALSE(watch.lost()) << "it has not been used since";
}

TEST(DepthWatch, LosesBoundsWhenSurfacesOverlap) {
  DepthWatch watch;
  watch.used(kDepth);
  watch.used({0x2000, 0x3000});
  EXPECT_FALSE(watch.lost());
  watch.used({0x1000, 0x1800});
  EXPECT_TRUE(watch.lost());
}

TEST(DepthWatch, LosesBoundsBeyondSixteenSurfaces) {
  DepthWatch watch;
  for (arch::Address i = 0; i < 16; i++) watch.used({i * 64, i * 64 + 64});
  EXPECT_FALSE(watch.lost());
  watch.used({16 * 64, 17 * 64});
  EXPECT_TRUE(watch.lost());
}

}  // namespace
}  // namespace cutaway::boxes::depth_watch_test
