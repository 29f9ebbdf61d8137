#include "replay/named_surface.h"

#include <gtest/gtest.h>

namespace cutaway::replay::named_surface_test {
namespace {

TEST(NamedSurface, IsReadFromItsText) {
  const auto surface = parse_surface(
      "address=0x12000 bytes=16384 size=64x32 format=B8G8R8A8_UNORM tiling=tiled levels=1 layers=2 "
      "use=texture+color name=window 1 name=x");
  ASSERT_TRUE(surface);
  EXPECT_EQ(surface->address, 0x12000u);
  EXPECT_EQ(surface->bytes, 16384u);
  EXPECT_EQ(surface->width, 64u);
  EXPECT_EQ(surface->height, 32u);
  EXPECT_EQ(surface->format, "B8G8R8A8_UNORM");
  EXPECT_TRUE(surface->tiled);
  EXPECT_EQ(surface->levels, 1u);
  EXPECT_EQ(surface->layers, 2u);
  EXPECT_EQ(surface->name, "window 1 name=x");
}

TEST(NamedSurface, MayHaveNoName) {
  const auto surface =
      parse_surface("address=0x0 bytes=1 size=1x1 format=R8_UNORM tiling=linear levels=1 layers=1 use=copy");
  ASSERT_TRUE(surface);
  EXPECT_EQ(surface->name, "");
  EXPECT_FALSE(surface->tiled);
}

TEST(NamedSurface, OtherTextsAreNone) {
  for (const char* text :
       {"", "back buffer", "address=12 bytes=1", "address=0x1",
        "address=0x11111111111111111 bytes=1 size=1x1 format=R8 tiling=tiled levels=1 layers=1 use=copy",
        "address=0x1 bytes=99999999999999999999 size=1x1 format=R8 tiling=tiled levels=1 layers=1 use=copy",
        "address=0x1 bytes=1 size=1 format=R8 tiling=tiled levels=1 layers=1 use=copy",
        "address=0x1 bytes=1 size=1x99999999999 format=R8 tiling=tiled levels=1 layers=1 use=copy",
        "address=0x1 bytes=1 size=1x1 format=R8 tiling=tiled levels=-1 layers=1 use=copy"})
    EXPECT_FALSE(parse_surface(text)) << text;
}

}  // namespace
}  // namespace cutaway::replay::named_surface_test
