#include "emulator/depth_tests.h"

#include <gtest/gtest.h>
#include <vector>

#include "emulator/testing/region.h"
#include "emulator/tile_masks.h"

namespace cutaway::emulator::depth_tests_test {
namespace {

using Phase = func::DepthPhase;

struct Bench : testing::Region {
  TileDepths depths;
  DepthTests tests{memory, on_pixel};

  explicit Bench(arch::Compare compare = arch::Compare::kLess, bool write = true,
                 arch::Format format = arch::Format::X8_D24_UNORM_PACK32) {
    add_depth(compare, write, format);
    tests.begin(draw);
  }
  // Stencils of 2 pass; failing fragments count.
  void add_stencil() {
    auto& registers = state.registers.depth;
    registers.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
    registers.stencil_test = 1;
    registers.front = {.fail = static_cast<uint32_t>(arch::StencilOp::kIncrementWrap),
                       .depth_fail = static_cast<uint32_t>(arch::StencilOp::kInvert),
                       .pass = static_cast<uint32_t>(arch::StencilOp::kZero),
                       .compare = static_cast<uint32_t>(arch::Compare::kEqual),
                       .reference = 2,
                       .read_mask = 255,
                       .write_mask = 127};
    registers.back = registers.front;
    draw.plan(state.registers);
    tests.begin(draw);
  }
  std::optional<uint64_t> test_tile(uint64_t covered, int32_t x = 0) {
    depths.find(batch.primitives[0], x, 0, covered);
    return tests.test_tile(depths, true, x, 0, covered);
  }
};

TEST(DepthTests, TestAndWriteAQuad) {
  Bench bench;
  bench.put_depth(1, 0x100000);  // lane 1
  EXPECT_EQ(bench.tests.test(bench.quad(0, 0, 0.5f), 7, Phase::kTestAndWrite, nullptr), 5u);
  EXPECT_NEAR(bench.depth(0), 0x800000, 1);
  EXPECT_EQ(bench.depth(1), 0x100000u);
  EXPECT_EQ(bench.depth(3), 0xffffffu) << "lane 3 is not tested";
}

TEST(DepthTests, WriteNothingInATest) {
  Bench bench;
  EXPECT_EQ(bench.tests.test(bench.quad(0, 0, 0.5f), 15, Phase::kTest, nullptr), 15u);
  EXPECT_EQ(bench.depth(0), 0xffffffu);
}

TEST(DepthTests, PassAllWithoutDepth) {
  testing::Region region;
  DepthTests tests(region.memory, region.on_pixel);
  tests.begin(region.draw);
  EXPECT_EQ(tests.test(region.quad(0, 0, 0.5f), 9, Phase::kTestAndWrite, nullptr), 9u);
}

TEST(DepthTests, ReportEachWrite) {
  Bench bench;
  std::vector<PixelWrite> seen;
  bench.on_pixel = [&](PixelWrite write) { seen.push_back(write); };
  bench.tests.begin(bench.draw);
  EXPECT_FALSE(bench.tests.tests_tiles()) << "pixels are reported one by one";
  EXPECT_EQ(bench.tests.test(bench.quad(4, 2, 0.5f), 8, Phase::kTestAndWrite, nullptr), 8u);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].x, 5u);
  EXPECT_EQ(seen[0].y, 3u);
  EXPECT_EQ(seen[0].primitive, 7u);
  EXPECT_TRUE(seen[0].depth);
  EXPECT_EQ(bench.word(seen[0].address), bench.depth((seen[0].address - testing::kDepth) / 4));
}

// Tests a tile at once and quad by quad. What both store is equal, whichever way it takes.
void compare_tiles_with_quads(bool stencil, arch::Format format = arch::Format::X8_D24_UNORM_PACK32) {
  for (const uint64_t covered : {uint64_t{0xf0f1}, ~uint64_t{0}, uint64_t{0x8421'8421'8421'8421}}) {
    Bench tiles(arch::Compare::kLess, true, format), quads(arch::Compare::kLess, true, format);
    for (Bench* bench : {&tiles, &quads}) {
      for (uint32_t i = 0; i < 64; i += 3) bench->put_depth(i, bench->depth_bytes == 2 ? 0x1000 : 0x100000);
      if (!stencil) continue;
      bench->add_stencil();
      for (uint32_t i = 0; i < 64; i += 5) bench->put_depth(i, bench->depth(i) | 0x2000000);
    }
    ASSERT_TRUE(tiles.tests.tests_tiles());
    const std::optional<uint64_t> passed = tiles.test_tile(covered);
    ASSERT_TRUE(passed);
    uint64_t expected = 0;
    each_quad(quads_with(covered), [&](uint32_t i, uint32_t) {
      const RegionQuad quad = quads.quad(func::quad_x(i), func::quad_y(i), 0.5f);
      expected |= uint64_t{quads.tests.test(quad, lanes_of(covered, i), Phase::kTestAndWrite, nullptr)}
                  << 4 * i;
    });
    EXPECT_EQ(*passed, expected);
    EXPECT_NE(*passed, covered);
    for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(tiles.depth(i), quads.depth(i)) << i;
  }
}

TEST(DepthTests, TestTilesAsTheirQuads) { compare_tiles_with_quads(false); }

TEST(DepthTests, TestTilesOf16BitsAsTheirQuads) { compare_tiles_with_quads(false, arch::Format::D16_UNORM); }

TEST(DepthTests, TestHalvesAndGroupsOf16BitsAsTheirQuads) {
  Bench halves(arch::Compare::kLess, true, arch::Format::D16_UNORM),
      groups(arch::Compare::kLess, true, arch::Format::D16_UNORM),
      quads(arch::Compare::kLess, true, arch::Format::D16_UNORM);
  for (Bench* bench : {&halves, &groups, &quads})
    for (uint32_t i = 0; i < 32; i += 3) bench->put_depth(i, 0x1000);
  constexpr uint32_t kAlive = 0xf7f3'08ff;
  QuadGroup group;
  uint32_t expected = 0;
  for (uint32_t i = 0; i < kGroupQuads; i++) {
    const int32_t x = func::quad_x(i), y = func::quad_y(i);
    group.quad[group.quads++] = groups.quad(x, y, 0.5f);
    const RegionQuad quad = quads.quad(x, y, 0.5f);
    expected |= quads.tests.test(quad, lanes_of(kAlive, i), Phase::kTestAndWrite, nullptr) << 4 * i;
  }
  const std::vector<float> z(kLanes, 0.5f);
  ASSERT_TRUE(halves.tests.tests_halves());
  EXPECT_EQ(halves.tests.test_half(halves.tests.find_half(0, 0), z.data(), kAlive), expected);
  EXPECT_EQ(groups.tests.test_group(group, kAlive), expected);
  EXPECT_NE(expected, kAlive);
  for (uint32_t i = 0; i < 64; i++) {
    EXPECT_EQ(halves.depth(i), quads.depth(i)) << i;
    EXPECT_EQ(groups.depth(i), quads.depth(i)) << i;
  }
}

TEST(DepthTests, TestStencilOfTilesAsTheirQuads) { compare_tiles_with_quads(true); }

TEST(DepthTests, ChangeStencilOfTilesThatFail) {
  Bench bench;
  bench.add_stencil();
  EXPECT_EQ(bench.test_tile(3), 0u);
  EXPECT_EQ(bench.depth(0), 0x1ffffffu);
  EXPECT_EQ(bench.depth(2), 0xffffffu);
}

TEST(DepthTests, TestGroupsAsTheirQuads) {
  for (const bool write : {false, true}) {
    Bench together(arch::Compare::kLess, write), apart(arch::Compare::kLess, write);
    QuadGroup group;
    uint32_t expected = 0;
    constexpr uint32_t kTested = 0xf0f3'08ff;
    for (Bench* bench : {&together, &apart})
      for (uint32_t i = 0; i < 128; i += 3) bench->put_depth(i, 0x100000);
    for (uint32_t i = 0; i < kGroupQuads; i++) {
      const auto x = static_cast<int32_t>(2 * i);
      group.quad[group.quads++] = together.quad(x, 2, 0.5f);
      if (const uint32_t lanes = lanes_of(kTested, i))
        expected |= apart.tests.test(apart.quad(x, 2, 0.5f), lanes, Phase::kTestAndWrite, nullptr) << 4 * i;
    }
    EXPECT_EQ(together.tests.test_group(group, kTested), expected);
    EXPECT_NE(expected, kTested);
    for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(together.depth(i), apart.depth(i)) << i;
  }
}

TEST(DepthTests, LeaveGroupsAtOnePlaceToQuads) {
  Bench bench;
  QuadGroup group;
  for (uint32_t i = 0; i < 3; i++) {
    group.quad[group.quads++] = bench.quad(0, 2, 0.5f);
    group.quad[i].number = i;
  }
  EXPECT_FALSE(bench.tests.test_group(group, 0xfff));
  group.quad[1].x = 2, group.quad[2].y = 4;
  EXPECT_EQ(bench.tests.test_group(group, 0xfff), 0xfffu);
}

TEST(DepthTests, WriteNoTileOfADrawThatOnlyTests) {
  for (const uint64_t covered : {uint64_t{0xf}, ~uint64_t{0}}) {
    Bench bench(arch::Compare::kLess, false);
    const arch::Memory copy = bench.memory;
    EXPECT_EQ(bench.test_tile(covered), covered);
    EXPECT_EQ(bench.depth(0), 0xffffffu);
    const arch::Memory& memory = bench.memory;
    EXPECT_EQ(memory.readable(testing::kDepth), copy.readable(testing::kDepth)) << "the page stays shared";
  }
}

TEST(DepthTests, LeaveUnmappedTilesToQuads) {
  Bench bench;
  bench.draw.depth_view.base = uint64_t{1} << 40;
  EXPECT_FALSE(bench.test_tile(15));
}

}  // namespace
}  // namespace cutaway::emulator::depth_tests_test
