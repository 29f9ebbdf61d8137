#include "emulator/color_writes.h"

#include <gtest/gtest.h>
#include <vector>

#include "emulator/testing/region.h"
#include "func/float_mode.h"
#include "func/rop/wide_blend.h"
#include "isa/instruction.h"

namespace cutaway::emulator {
namespace {

// Fragments of one color: red, from the input 0.
struct Bench : testing::Region {
  func::FloatMode mode;
  Meter meter{~uint64_t{0}};
  Statistics statistics;
  ShaderCore core{memory, meter, statistics};
  ColorWrites colors{memory, on_pixel};
  QuadGroup group;

  explicit Bench(bool uniform = false) {
    std::vector<isa::EncodedInstruction> words;
    for (const isa::Instruction& instruction : isa::assemble("MOV o0, i0\nEND\n"))
      words.push_back(isa::encode(instruction));
    std::string error;
    state.stage[arch::Stage::kFragment].program =
        command_stream::make_program(arch::Stage::kFragment, std::move(words), 0, 0, kLanes, error);
    EXPECT_EQ(error, "");
    draw.shades = true;
    draw.targets.push_back({0, draw.target[0], draw.target_view[0], func::can_blend_wide(draw.target[0])});
    core.begin(state.fragment());
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < kLanes; lane++)
        core.input(0, c)[lane] = std::bit_cast<uint32_t>(c == 0 || c == 3 ? 1.0f : 0.0f);
    core.run(state.fragment(), ~0u, 0);
    colors.begin(draw, uniform);
  }
  void add(int32_t x, int32_t y, uint32_t lanes = 15) { group.quad[group.quads++] = quad(x, y, 0, lanes); }
  uint32_t pixel(uint32_t x, uint32_t y) { return word(draw.target_view[0].address(x, y)); }
};

constexpr uint32_t kRed = 0xff0000ff;

TEST(ColorWrites, WriteLiveLanes) {
  Bench bench;
  bench.add(0, 0, 0b0110), bench.add(10, 20), bench.add(12, 20, 0);
  bench.colors.write(bench.group, bench.core);
  EXPECT_EQ(bench.pixel(0, 0), 0u);
  EXPECT_EQ(bench.pixel(1, 0), kRed);
  EXPECT_EQ(bench.pixel(0, 1), kRed);
  EXPECT_EQ(bench.pixel(1, 1), 0u);
  for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(bench.pixel(10 + i % 2, 20 + i / 2), kRed);
  EXPECT_EQ(bench.pixel(12, 20), 0u);
}

TEST(ColorWrites, ReportEachWrite) {
  Bench bench;
  std::vector<PixelWrite> seen;
  bench.on_pixel = [&](PixelWrite write) { seen.push_back(write); };
  bench.add(6, 4, 0b1000);
  bench.colors.write(bench.group, bench.core);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].x, 7u);
  EXPECT_EQ(seen[0].y, 5u);
  EXPECT_EQ(seen[0].primitive, 7u);
  EXPECT_FALSE(seen[0].depth);
  EXPECT_EQ(bench.word(seen[0].address), kRed);
}

TEST(ColorWrites, FillTilesOfOneColor) {
  Bench bench(true);
  ASSERT_TRUE(bench.colors.one_color());
  EXPECT_FALSE(bench.colors.fill_tile(8, 8)) << "no element is known";
  bench.colors.find_elements(bench.core);
  EXPECT_TRUE(bench.colors.fill_tile(8, 8));
  for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(bench.pixel(8 + i % 8, 8 + i / 8), kRed) << i;
  EXPECT_EQ(bench.pixel(16, 8), 0u);
  bench.colors.begin(bench.draw, true);
  EXPECT_FALSE(bench.colors.fill_tile(8, 8)) << "another draw begins";
}

TEST(ColorWrites, AreNotOfOneColorWhereFragmentsDecide) {
  EXPECT_FALSE(Bench(false).colors.one_color());
  Bench alpha(true), masked(true);
  alpha.state.registers.raster.alpha_to_coverage = 1;
  alpha.colors.begin(alpha.draw, true);
  EXPECT_FALSE(alpha.colors.one_color());
  masked.state.registers.color.target[0].write_mask = 7;
  masked.draw.plan(masked.state.registers);
  masked.draw.targets[0].state = masked.draw.target[0];
  masked.colors.begin(masked.draw, true);
  EXPECT_FALSE(masked.colors.one_color()) << "alpha stays as it was";
}

}  // namespace
}  // namespace cutaway::emulator
