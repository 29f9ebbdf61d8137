#include <gtest/gtest.h>

#include "emulator/testing/outcome.h"

// Fragment programs with the same result in every pixel run once for many: this must not be visible.
namespace cutaway::emulator::uniform_program_test {
namespace {

using scenes::Builder;

constexpr std::string_view kPassColor = "MOV o0, i0\nMOV o1, i1\nEND\n";

struct Case {
  arch::Format color = arch::Format::R8G8B8A8_UNORM;
  uint32_t blend = 0, write_mask = 15;
  bool depth = true, alpha_to_coverage = false;
};

// Slanted and overlapping triangles of many sizes, with one color from a constant or an input.
scenes::Scene triangles(const Case& c, bool uniform) {
  Builder b("uniform", 150, 130);
  b.target(b.surface(c.color, 150, 130));
  if (c.depth) b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 150, 130));
  b.clear(0.25f, 0.5f, 0, 1);
  b.program(arch::Stage::kVertex, kPassColor);
  // Both programs have the same length, so all counters agree.
  b.program(arch::Stage::kFragment, uniform ? "MOV o0, c0\nEND\n" : "MOV o0, i0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {0.75f, 0.5f, 0.125f, 0.5f});
  if (uniform) b.interpolants({});
  else b.interpolants({1});
  b.registers.depth.depth_test = b.registers.depth.depth_write = c.depth;
  b.registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLessOrEqual);
  b.registers.raster.alpha_to_coverage = c.alpha_to_coverage;
  auto& target = b.registers.color.target[0];
  target.write_mask = c.write_mask;
  target.blend = c.blend;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(c.blend == 2 ? arch::BlendFactor::kZero : arch::BlendFactor::kOneMinusSrcAlpha);
  std::vector<float> values;
  uint32_t state = 1;
  const auto random = [&](float low, float high) {
    state = state * 1664525 + 1013904223;
    return low + (high - low) * static_cast<float>(state >> 8) / 16777216.0f;
  };
  for (uint32_t i = 0; i < 40; i++) {
    const float x = random(-1, 1), y = random(-1, 1), size = random(0.02f, i % 8 ? 0.4f : 2);
    for (uint32_t v = 0; v < 3; v++)
      for (const float value :
           {x + random(-size, size), y + random(-size, size), random(0, 1), 1.0f, 0.75f, 0.5f, 0.125f, 0.5f})
        values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.draw(120);
  b.end_frame();
  return b.take();
}

TEST(UniformProgram, DrawsWhatAnInputOfOneColorDraws) {
  using enum arch::Format;
  for (const Case c : {Case{}, Case{.depth = false}, Case{.blend = 1}, Case{.blend = 2},
                       Case{.write_mask = 5}, Case{.color = R16G16B16A16_SFLOAT},
                       Case{.color = B8G8R8A8_UNORM}, Case{.depth = false, .alpha_to_coverage = true}}) {
    SCOPED_TRACE(::testing::Message() << "blend " << c.blend << " mask " << c.write_mask << " depth "
                                      << c.depth << " alpha to coverage " << c.alpha_to_coverage);
    const scenes::Scene scenes[2] = {triangles(c, true), triangles(c, false)};
    const Outcome one(scenes[0]), other(scenes[1]);
    EXPECT_EQ(one.pictures.back().rgba, other.pictures.back().rgba);
    for (uint32_t y = 0; c.depth && y < 130; y++)
      for (uint32_t x = 0; x < 150; x++)
        ASSERT_EQ(scenes::texel32(one.gpu->memory(0), scenes[0].depth, x, y),
                  scenes::texel32(other.gpu->memory(0), scenes[1].depth, x, y));
    // An alpha of one half keeps no sample of one: only the clear remains.
    if (c.alpha_to_coverage) {
      EXPECT_EQ(one.statistics().fragments_written, 150u * 130);
    } else {
      EXPECT_GT(one.statistics().fragments_written, 5000u + 150 * 130);
    }
    std::vector<uint64_t> counters[2];
    for (const Outcome* outcome : {&one, &other}) {
      Statistics statistics = outcome->statistics();
      statistics.packets = 0;  // one sets an interpolant
      statistics.for_each(
          [&](const char*, const char*, uint64_t value) { counters[outcome == &other].push_back(value); });
    }
    EXPECT_EQ(counters[0], counters[1]);
  }
}

}  // namespace
}  // namespace cutaway::emulator::uniform_program_test
