#include "emulator/texture_copies.h"

#include <gtest/gtest.h>

#include "func/texture/image_for_test.h"

namespace cutaway::emulator {
namespace {

class TextureCopiesTest : public ::testing::Test {
 protected:
  TextureCopiesTest() : image_(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 16, 8, 1) {
    image_.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
      return func::TestImage::Texel{static_cast<float>(x) / 255, static_cast<float>(y) / 255, 0, 1};
    });
  }

  // Each use takes as many samples.
  std::shared_ptr<const func::TexelCopy> find(arch::Wrap wrap = arch::Wrap::kRepeat, uint64_t samples = 32) {
    const func::TextureView view = func::make_texture_view(image_.surface);
    const arch::Sampler sampler = func::test_sampler(arch::Filter::kLinear, arch::MipMode::kBase, wrap);
    const isa::Access access{.dim = isa::TextureDim::k2D};
    const auto found =
        copies_.find(image_.memory, view, func::make_wide_texture(view, sampler, access, isa::Opcode::kTex));
    *found.samples += samples;
    return found.copy;
  }
  // Asks until there is a copy; returns how often there was none.
  uint32_t uses_without() {
    for (uint32_t uses = 0; uses < 100; uses++)
      if (find()) return uses;
    return ~0u;
  }
  static uint32_t texel(const func::TexelCopy& copy, int32_t x, int32_t y) {
    const func::TexelRows& rows = copy.rows();
    return rows.texels[static_cast<int32_t>(rows.first[0]) + y * static_cast<int32_t>(rows.pitch[0]) + x];
  }

  func::TestImage image_;
  TextureCopies copies_;
};

TEST_F(TextureCopiesTest, ATextureGetsOneWhenItsSamplesPay) {
  EXPECT_GT(uses_without(), 1u);
  const auto copy = find();
  EXPECT_EQ(find(), copy);
  for (int32_t y = 0; y < 8; y++)
    for (int32_t x = 0; x < 16; x++)
      EXPECT_EQ(texel(*copy, x, y), static_cast<uint32_t>(x | y << 8) | 0xff000000u);
  EXPECT_EQ(texel(*copy, -1, 3), texel(*copy, 15, 3));
  EXPECT_EQ(texel(*copy, 16, 3), texel(*copy, 0, 3));
}

TEST_F(TextureCopiesTest, EachWayToWrapHasItsOwn) {
  uses_without();
  EXPECT_EQ(find(arch::Wrap::kClampToEdge), nullptr);
  std::shared_ptr<const func::TexelCopy> copy;
  for (int i = 0; i < 100 && !copy; i++) copy = find(arch::Wrap::kClampToEdge);
  ASSERT_TRUE(copy);
  EXPECT_NE(copy, find());
  EXPECT_EQ(texel(*copy, -1, 3), texel(*copy, 0, 3));
  EXPECT_EQ(texel(*copy, 16, 3), texel(*copy, 15, 3));
}

// Each change ends a copy at once. One that did not pay comes later.
TEST_F(TextureCopiesTest, ChangesShow) {
  uint32_t before = uses_without();
  for (uint32_t round = 0; round < 3; round++) {
    image_.memory.write_as<uint32_t>(image_.surface.address, 0x01020300 + round);
    const uint32_t uses = uses_without();
    EXPECT_GT(uses, before);
    EXPECT_EQ(texel(*find(arch::Wrap::kRepeat, 0), 0, 0), 0x01020300 + round);
    before = uses;
  }
}

TEST_F(TextureCopiesTest, OneThatPaidIsRenewedAtOnce) {
  uses_without();
  const uint32_t* const storage = find(arch::Wrap::kRepeat, 1 << 20)->rows().texels;
  image_.memory.write_as<uint32_t>(image_.surface.address, 0x01020304);
  auto copy = find(arch::Wrap::kRepeat, 1 << 20);
  ASSERT_TRUE(copy);
  EXPECT_EQ(texel(*copy, 0, 0), 0x01020304u);
  EXPECT_EQ(copy->rows().texels, storage) << "nobody had the first copy any more";
  image_.memory.write_as<uint32_t>(image_.surface.address, 0x01020305);
  const auto next = find();
  ASSERT_TRUE(next);
  EXPECT_NE(next->rows().texels, storage);
  EXPECT_EQ(texel(*copy, 0, 0), 0x01020304u) << "whoever has a copy keeps it";
  EXPECT_EQ(texel(*next, 0, 0), 0x01020305u);
}

}  // namespace
}  // namespace cutaway::emulator
