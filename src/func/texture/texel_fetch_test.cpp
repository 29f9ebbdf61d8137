#include <array>
#include <gtest/gtest.h>
#include <limits>

#include "func/texture/buffer_load.h"
#include "func/texture/image_for_test.h"

namespace cutaway::func {
namespace {

using arch::Filter;
using arch::Format;
using arch::MipMode;
using arch::Tiling;
using arch::Wrap;
using isa::Opcode;
using isa::TextureDim;

TEST(TexelFetch, ReadsInsideAndZerosOutside) {
  TestImage image(Format::R8G8B8A8_UINT, Tiling::kTiled, 9, 5, 3, 2);
  image.fill([](uint32_t x, uint32_t y, uint32_t level, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(x), static_cast<float>(y), static_cast<float>(level + 1),
                            static_cast<float>(layer + 1)};
  });
  isa::Access access;
  access.dim = TextureDim::k2DArray;
  const auto fetch = [&](int x, int y, int layer, int level) {
    TestQuad quad;
    quad.set_bits(0, 0, static_cast<uint32_t>(x));
    quad.set_bits(0, 1, static_cast<uint32_t>(y));
    quad.set_bits(0, 2, static_cast<uint32_t>(layer));
    quad.set_bits(1, 0, static_cast<uint32_t>(level));
    const TestAccess result = access_image(image, {}, Opcode::kTxf, quad, access);
    EXPECT_EQ(result.faults, 0u);
    return std::array<uint32_t, 4>{result.bits(0, 1), result.bits(1, 1), result.bits(2, 1),
                                   result.bits(3, 1)};
  };
  using Value = std::array<uint32_t, 4>;
  EXPECT_EQ(fetch(8, 4, 1, 0), (Value{8, 4, 1, 2}));
  EXPECT_EQ(fetch(3, 1, 0, 1), (Value{3, 1, 2, 1}));
  const Value zeros{0, 0, 0, 0};
  EXPECT_EQ(fetch(9, 0, 0, 0), zeros);
  EXPECT_EQ(fetch(-1, 0, 0, 0), zeros);
  EXPECT_EQ(fetch(0, 5, 0, 0), zeros);
  EXPECT_EQ(fetch(4, 0, 0, 1), zeros);
  EXPECT_EQ(fetch(0, 0, 2, 0), zeros);
  EXPECT_EQ(fetch(0, 0, -1, 0), zeros);
  EXPECT_EQ(fetch(0, 0, 0, 3), zeros);
  EXPECT_EQ(fetch(std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 0, 0), zeros);
  access.offset = {1, -1, 0};
  EXPECT_EQ(fetch(7, 5, 0, 0), (Value{8, 4, 1, 1}));
  EXPECT_EQ(fetch(8, 5, 0, 0), zeros);
  EXPECT_EQ(fetch(7, 5, 0, 9), zeros);
}

TEST(TexelFetch, TexelBuffers) {
  TestImage image(Format::R32_UINT, Tiling::kLinear, 64, 1);
  image.surface.type = arch::Surface::make_type(arch::SurfaceType::kTexelBuffer, Tiling::kLinear);
  for (uint32_t i = 0; i < 64; i++) image.memory.write_as<uint32_t>(image.surface.address + 4 * i, i * i);
  isa::Access access;
  access.dim = TextureDim::kBuffer;
  TestQuad quad;
  for (uint32_t lane = 0; lane < 4; lane++) quad.operands[0][0][lane] = 20 * lane;
  const TestAccess result = access_image(image, {}, Opcode::kTxf, quad, access);
  EXPECT_EQ(result.bits(0, 1), 400u);
  EXPECT_EQ(result.bits(0, 3), 3600u);
  quad.set_bits(0, 0, 64);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxf, quad, access).bits(0, 0), 0u);
}

TEST(TexelFetch, Multisample) {
  TestImage image(Format::R32_UINT, Tiling::kTiled, 16, 16);
  image.surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, Tiling::kTiled, 2);
  image.memory.map(image.surface.address, 1 << 16);
  const arch::LevelLayout level = arch::level_layout(image.surface, 0);
  for (uint32_t sample = 0; sample < 4; sample++)
    image.memory.write_as<uint32_t>(arch::element_address(image.surface, level, 9, 10, 0, 0, sample),
                                    40 + sample);
  isa::Access access;
  access.dim = TextureDim::k2DMultisample;
  TestQuad quad;
  quad.set_bits(0, 0, 9);
  quad.set_bits(0, 1, 10);
  for (uint32_t lane = 0; lane < 4; lane++) quad.operands[1][1][lane] = lane == 3 ? 4 : lane;
  const TestAccess result = access_image(image, {}, Opcode::kTxf, quad, access);
  EXPECT_EQ(result.bits(0, 0), 40u);
  EXPECT_EQ(result.bits(0, 2), 42u);
  EXPECT_EQ(result.bits(0, 3), 0u);
}

TEST(TextureQuery, SizesLevelsAndSamples) {
  TestImage image(Format::R8_UNORM, Tiling::kTiled, 20, 6, 4, 3);
  isa::Access access;
  access.dim = TextureDim::k2DArray;
  TestQuad quad;
  quad.set_bits(0, 0, 1);
  const TestAccess size = access_image(image, {}, Opcode::kTxq, quad, access);
  EXPECT_EQ(size.plan.samples(), 0u);
  EXPECT_EQ(size.bits(0, 0), 10u);
  EXPECT_EQ(size.bits(1, 0), 3u);
  EXPECT_EQ(size.bits(2, 0), 3u);
  EXPECT_EQ(size.bits(3, 0), 4u);
  quad.set_bits(0, 0, 4);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxq, quad, access).bits(0, 0), 0u);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxqs, quad, access).bits(0, 0), 1u);
}

TEST(TextureQuery, LayersAreTheThirdComponent) {
  const TestImage image(Format::R8_UNORM, Tiling::kTiled, 20, 1, 1, 7);
  isa::Access access;
  access.dim = TextureDim::k1DArray;
  const TestAccess size = access_image(image, {}, Opcode::kTxq, TestQuad{}, access);
  EXPECT_EQ(size.bits(0, 0), 20u);
  EXPECT_EQ(size.bits(1, 0), 0u);
  EXPECT_EQ(size.bits(2, 0), 7u);
}

TEST(TextureQuery, LevelOfDetail) {
  TestImage image(Format::R8_UNORM, Tiling::kTiled, 64, 64, 4);
  TestQuad quad;
  quad.set(0, 0, 0, 32.0f / 64, 0, 32.0f / 64);
  const arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat);
  const TestAccess access = access_image(image, sampler, Opcode::kTxqlod, quad);
  EXPECT_EQ(access.value(0, 0), 3);  // clamped to the levels
  EXPECT_EQ(access.value(1, 0), 5);
}

TEST(BufferLoad, WordsInBounds) {
  arch::Surface buffer{};
  buffer.address = uint64_t{0x5000};
  buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, Tiling::kLinear);
  buffer.width = 22;  // the sixth word begins there
  const uint32_t offsets[4] = {0, 14, 20, 0xffffffff};
  const BufferLoad plan = plan_buffer_load(buffer, offsets, 0b1101, 15);
  EXPECT_EQ(plan.address[0], 0x5000u);
  EXPECT_EQ(plan.words[0], 4);
  EXPECT_EQ(plan.address[1], 0x500cu);  // rounded down to a word
  EXPECT_EQ(plan.words[1], 3);
  EXPECT_EQ(plan.words[2], 1);
  EXPECT_EQ(plan.words[3], 0);
  const uint32_t words[4] = {1, 2, 3, 4};
  QuadResult result;
  for (uint32_t lane = 0; lane < 4; lane++)
    finish_buffer_load(plan, lane, reinterpret_cast<const std::byte*>(words), result.value);
  EXPECT_EQ(result.value[0][0], 1u);
  EXPECT_EQ(result.value[1][0], 0u);  // not in the mask
  EXPECT_EQ(result.value[3][0], 4u);
  EXPECT_EQ(result.value[2][1], 3u);
  EXPECT_EQ(result.value[3][1], 0u);  // out of bounds
  EXPECT_EQ(result.value[2][2], 0u);
  buffer.width = ~0u;
  EXPECT_EQ(plan_buffer_load(buffer, offsets, 15, 1).words[0], 4);
  EXPECT_EQ(plan_buffer_load(buffer, offsets, 1, 0b1110).words[0], 0);
}

}  // namespace
}  // namespace cutaway::func
