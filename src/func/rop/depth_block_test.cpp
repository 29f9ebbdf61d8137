#include "func/rop/depth_block.h"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "arch/surface.h"

namespace cutaway::func::depth_block_test {
namespace {

using Block = std::array<uint32_t, 64>;

// Elements by position, in memory order.
Block block_of(const std::function<uint32_t(uint32_t x, uint32_t y)>& element) {
  Block block;
  for (uint32_t y = 0; y < 8; y++)
    for (uint32_t x = 0; x < 8; x++) block[arch::tiled_offset(x, y, 256, 4) / 4] = element(x, y);
  return block;
}

// The number of sectors; checks that the block can be restored from these alone.
uint32_t sectors_of(const Block& block, uint32_t depth_bits) {
  std::array<std::byte, kPackedDepthBytes + 64> packed;
  packed.fill(std::byte{0xa5});
  const uint32_t sectors =
      pack_depth_block(reinterpret_cast<const std::byte*>(block.data()), depth_bits, packed.data());
  for (size_t i = sectors == 4 ? 0 : sectors * 64; i < packed.size(); i++)
    EXPECT_EQ(packed[i], std::byte{0xa5}) << "written beyond its sectors";
  if (sectors == 4) return 4;
  for (size_t i = sectors * 64; i < packed.size(); i++) packed[i] = std::byte{0x3c};
  Block back{};
  unpack_depth_block(packed.data(), reinterpret_cast<std::byte*>(back.data()));
  EXPECT_EQ(back, block);
  return sectors;
}

uint32_t fixed24(double z) { return static_cast<uint32_t>(std::min(std::max(z, 0.0), 1.0) * 16777215 + 0.5); }
uint32_t float32(double z) { return std::bit_cast<uint32_t>(static_cast<float>(z)); }

struct RandomPlane {
  double z, dx, dy;
  explicit RandomPlane(std::mt19937& random) {
    const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const double steep = unit() < 0.5 ? 0.002 : 0.02;
    z = 0.2 + 0.6 * unit(), dx = (unit() - 0.5) * steep, dy = (unit() - 0.5) * steep;
  }
  double at(uint32_t x, uint32_t y) const { return z + dx * x + dy * y; }
};

TEST(DepthBlock, APlaneTakesASector) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; i++) {
    const RandomPlane plane(random);
    const uint32_t stencil = random() << 24;
    EXPECT_EQ(
        sectors_of(block_of([&](uint32_t x, uint32_t y) { return fixed24(plane.at(x, y)) | stencil; }), 24),
        1u);
  }
}

// Also beyond the ends of the range, where depths wrap around.
TEST(DepthBlock, AValueTakesASector) {
  for (const uint32_t value : {0u, 0xffffffffu, 0x80000000u, 0x00ffffffu, 0xff000000u, 0x3f800000u, 12345u})
    for (const uint32_t bits : {24u, 32u})
      EXPECT_EQ(sectors_of(block_of([&](uint32_t, uint32_t) { return value; }), bits), 1u);
}

TEST(DepthBlock, AnEdgeTakesASector) {
  std::mt19937 random(2);
  int one = 0, two = 0;
  for (int i = 0; i < 2000; i++) {
    const RandomPlane a(random), b(random);
    const int32_t nx = static_cast<int32_t>(random() % 15) - 7, ny = static_cast<int32_t>(random() % 15) - 7;
    const bool far = i % 2;
    const Block block = block_of([&](uint32_t x, uint32_t y) {
      const bool inside = nx * (static_cast<int32_t>(x) - 3) + ny * (static_cast<int32_t>(y) - 4) > 0;
      return fixed24(inside ? a.at(x, y) : far ? 1 : b.at(x, y)) | 0x05000000u;
    });
    const uint32_t sectors = sectors_of(block, 24);
    one += sectors == 1, two += sectors == 2;
  }
  EXPECT_GT(one, 1800);
  EXPECT_GT(one + two, 1990);
}

TEST(DepthBlock, FourPlanesTakeTwo) {
  std::mt19937 random(3);
  int packed = 0;
  for (int i = 0; i < 500; i++) {
    const RandomPlane plane[4] = {RandomPlane(random), RandomPlane(random), RandomPlane(random),
                                  RandomPlane(random)};
    packed +=
        sectors_of(
            block_of([&](uint32_t x, uint32_t y) { return fixed24(plane[x / 4 + y / 4 * 2].at(x, y)); }),
            24) <= 2;
  }
  EXPECT_GT(packed, 480);
}

TEST(DepthBlock, FloatsOfGentleSlopes) {
  std::mt19937 random(4);
  int packed = 0;
  for (int i = 0; i < 500; i++) {
    const RandomPlane plane(random);
    packed += sectors_of(block_of([&](uint32_t x, uint32_t y) { return float32(plane.at(x, y)); }), 32) < 4;
  }
  EXPECT_GT(packed, 400);
}

TEST(DepthBlock, TwoStencilsButNotThree) {
  const RandomPlane plane = [] {
    std::mt19937 random(5);
    return RandomPlane(random);
  }();
  for (uint32_t stencils = 1; stencils <= 3; stencils++) {
    const uint32_t sectors = sectors_of(
        block_of([&](uint32_t x, uint32_t y) { return fixed24(plane.at(x, y)) | (x * y % stencils) << 26; }),
        24);
    EXPECT_EQ(sectors, stencils == 3 ? 4u : 1u);
  }
}

// Unpacking restores the packed data.
TEST(DepthBlock, NothingIsLost) {
  std::mt19937 random(6);
  int packed[5] = {};
  for (int i = 0; i < 6000; i++) {
    const RandomPlane a(random), b(random);
    const uint32_t noise = i % 3 ? 1u << random() % 20 : 1, wild = random() % 64, kind = random() % 6;
    const uint32_t bits = i % 2 ? 24 : 32;
    const uint64_t split = random() | uint64_t{random()} << 32;
    Block block = block_of([&](uint32_t x, uint32_t y) {
      const bool second = kind == 1 ? x > y : kind == 2 ? split >> (x + 8 * y) & 1 : false;
      const double z = second ? b.at(x, y) : a.at(x, y);
      const uint32_t depth = (bits == 24 ? fixed24(z) : float32(z)) + random() % noise;
      if (kind == 3) return static_cast<uint32_t>(random());
      if (kind == 4) return x + y < 7 ? 0u : 0xffffffffu;
      return bits == 24 ? (depth & 0xffffff) | (second ? 0xff000000u : 0u) : depth;
    });
    if (kind == 5) block[wild] = static_cast<uint32_t>(random());
    packed[sectors_of(block, bits)]++;
  }
  EXPECT_GT(packed[1], 400);
  EXPECT_GT(packed[2], 400);
  EXPECT_GT(packed[4], 400);
}

// Blocks are read from memory that may contain anything.
TEST(DepthBlock, AnyBytesGiveSomeBlock) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; i++) {
    std::array<std::byte, kPackedDepthBytes> packed;
    for (std::byte& byte : packed) byte = static_cast<std::byte>(random());
    Block block{};
    unpack_depth_block(packed.data(), reinterpret_cast<std::byte*>(block.data()));
  }
}

}  // namespace
}  // namespace cutaway::func::depth_block_test
