#include "emulator/emulator.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "arch/device_clock.h"
#include "emulator/testing/outcome.h"
#include "scenes/png.h"
#include "scenes/scenes.h"

namespace cutaway::emulator::emulator_test {
namespace {

using scenes::Scene;
using scenes::texel32;

constexpr uint32_t kBlack = 0xff000000, kWhite = 0xffffffff, kRed = 0xff0000ff, kGreen = 0xff00ff00,
                   kBlue = 0xffff0000;

// With CUTAWAY_PICTURES=FOLDER in the environment, writes a picture of every scene there.
TEST(Scenes, AllRunWithoutFaults) {
  const char* folder = std::getenv("CUTAWAY_PICTURES");
  for (const Scene& scene : scenes::all_scenes()) {
    const Outcome result(scene);
    if (!folder) continue;
    for (size_t i = 0; i < result.pictures.size(); i++)
      scenes::write_png(std::filesystem::path(folder) / (scene.name + std::to_string(i + 1) + ".png"),
                        result.pictures[i], 4);
  }
}

// Legs of 48 pixels from (8, 8); texels of 6 pixels per side.
TEST(Scenes, TexturedTriangleTexelByTexel) {
  const Scene scene = scenes::textured_triangle();
  const Outcome result(scene);
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++) {
      // A pixel's centre on the long side belongs to the other triangle: x - 8 + y - 8 + 1 < 48.
      const bool inside = x >= 8 && y >= 8 && x - 8 + y - 8 + 1 < 48;
      const uint32_t expected = !inside ? kBlue : ((x - 8) / 6 + (y - 8) / 6) % 2 ? kWhite : kRed;
      ASSERT_EQ(result.pixel(x, y), expected) << x << ", " << y;
      ASSERT_EQ(texel32(result.gpu->memory(0), scene.color, x, y), expected);
    }
  const Statistics& s = result.statistics();
  EXPECT_EQ(s.draws, 2u);
  EXPECT_EQ(s.indices, 7u);
  EXPECT_EQ(s.vertices_shaded, 7u);
  EXPECT_EQ(s.primitives_in, 3u);
  EXPECT_EQ(s.fragments, 64u * 64 + 48 * 47 / 2);
  EXPECT_EQ(s.fragments_shaded, s.fragments);
  EXPECT_EQ(s.fragments_written, s.fragments);
}

TEST(Scenes, DepthOrdersAndStencilMasks) {
  const Outcome result(scenes::depth_and_stencil());
  EXPECT_EQ(result.pixel(2, 2), kBlack);
  EXPECT_EQ(result.pixel(2, 32), kBlack);
  // The two cross in the middle: red is nearer on the left.
  for (uint32_t x = 16; x < 48; x++) {
    const uint32_t pixel = result.pixel(x, 20);
    EXPECT_EQ(pixel & 0xff, x < 32 ? 255u : 0u) << x;
    EXPECT_EQ(pixel >> 24, 255u);
  }
  EXPECT_GT(result.statistics().fragments_killed_early, 1000u);
}

TEST(Scenes, BlendsByTheBook) {
  const Scene scene = scenes::blending();
  const Outcome result(scene);
  const auto stored = [&](uint32_t x, uint32_t y) {
    return texel32(result.gpu->memory(0), scene.color, x, y);
  };
  EXPECT_EQ(stored(0, 0), 0xff333333u);
  // Red over gray: 0.5 + 0.1 and 0.1; alpha 0.5 0.5 + 1 0.5.
  EXPECT_EQ(stored(5, 5), 0xbf1a1a99u);
  EXPECT_EQ(stored(45, 15), 0xbf1a991au);
  // Blue added to gray: 0.75 + 0.2.
  EXPECT_EQ(stored(60, 25), 0xfff23333u);
  // Gray minus a darker one; alpha 1 - 0.
  EXPECT_EQ(stored(12, 40), 0xff0d0d0du);
  // The maximum of red and blue; green and alpha unchanged.
  EXPECT_EQ(stored(55, 58), 0xff803380u);
}

TEST(Scenes, FloorGetsCoarserTowardsTheHorizon) {
  const Outcome result(scenes::mipmapped_floor());
  EXPECT_EQ(result.pixel(64, 10), 0xffffb280u);  // sky
  // Near the horizon only the coarsest levels are visible: no white of the checkers.
  for (uint32_t x = 0; x < 128; x++) EXPECT_EQ(result.pixel(x, 52), 0xffffff00u) << x;
  EXPECT_GT(result.statistics().bilinear_samples, result.statistics().fragments / 4);
}

TEST(Scenes, ScratchMemoryKeepsWhatALaneStored) {
  const Outcome result(scenes::scratch_memory());
  for (uint32_t y = 0; y < 16; y++)
    for (uint32_t x = 0; x < 16; x++)
      EXPECT_EQ((result.pixel(x, y) & 0xffffff) != 0, x % 8 == y % 8) << x << ", " << y;
}

TEST(Scenes, LinesAndPointsAreOnePixelWide) {
  const Outcome result(scenes::lines_and_points());
  for (uint32_t y = 4; y < 64; y += 8) EXPECT_EQ(result.pixel(4, y), kGreen);
  EXPECT_EQ(result.pixel(5, 4), kBlack);
  EXPECT_EQ(result.pixel(4, 5), kBlack);
  EXPECT_EQ(result.statistics().primitives_in, 2u + 16 + 8 + 64);
}

TEST(Scenes, CopiesMoveEveryTexel) {
  const Scene scene = scenes::copies();
  const Outcome result(scene);
  for (uint32_t y = 0; y < 32; y++)
    for (uint32_t x = 0; x < 32; x++) {
      const uint32_t expected = 0xff000000 | y * 8 << 8 | x * 8;
      ASSERT_EQ(result.pixel(1 + x, 2 + y), expected);
      if (x >= 29 || y >= 31) continue;
      ASSERT_EQ(result.pixel(34 + x, 30 + y), expected);
    }
  EXPECT_EQ(result.pixel(0, 2), kBlack);
  EXPECT_EQ(result.pixel(63, 63), kBlack);
  EXPECT_EQ(result.pixel(34, 61), kBlack);
  const arch::Memory& memory = result.gpu->memory(0);
  // Row 2 of the linear copy starts at byte 512; the buffer copy skipped 4 bytes and began at byte 12.
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 12 + 512 - 4 + 4 * 7), 0xff000000u | 6 * 8);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 2012), 0u);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 2016), 0x12345678u);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 3032), 0x12345678u);
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 3036), 0u);
}

TEST(Scenes, DiscardedFragmentsLeaveDepthAlone) {
  const Scene scene = scenes::discards();
  const Outcome result(scene);
  constexpr uint32_t kYellow = 0xff00ccff, kStripe = 0xff339900;
  EXPECT_EQ(result.pixel(2, 2), 0xff4d0000u);  // discarded, with nothing behind
  EXPECT_EQ(result.pixel(8, 8), kYellow);      // discarded, the pane behind shows
  EXPECT_EQ(result.pixel(25, 10), kStripe);
  EXPECT_EQ(texel32(result.gpu->memory(0), scene.depth, 2, 2), 0x3f800000u);
  EXPECT_EQ(texel32(result.gpu->memory(0), scene.depth, 8, 8), 0x3f400000u);
  EXPECT_EQ(texel32(result.gpu->memory(0), scene.depth, 32, 2), 0x3f000000u);
  // One, two, three and four iterations of the loop.
  EXPECT_EQ(result.pixel(4, 40), 0xffff4040u);
  EXPECT_EQ(result.pixel(60, 35), kWhite);
  EXPECT_GT(result.statistics().fragments_killed_by_shader, 500u);
  EXPECT_GT(result.statistics().fragments_killed_late, 100u);
}

TEST(Scenes, InstancesStepAndStripsRestart) {
  const Outcome result(scenes::instances());
  EXPECT_EQ(result.pixel(12, 12), kRed);
  EXPECT_EQ(result.pixel(44, 12), kRed);
  EXPECT_EQ(result.pixel(12, 44), kGreen);
  EXPECT_EQ(result.pixel(44, 44), kGreen);
  EXPECT_EQ(result.pixel(20, 20), kRed);
  EXPECT_EQ(result.pixel(17, 17), kBlack);  // between a strip and the next
  EXPECT_EQ(result.statistics().indices, 4u + 4 * 8);
  EXPECT_EQ(result.statistics().primitives_in, 2u + 4 * (2 + 2));
}

TEST(Scenes, QueriesCountAndFencesStand) {
  const Scene scene = scenes::queries();
  const Outcome result(scene);
  const arch::Memory& memory = result.gpu->memory(0);
  const auto value = [&](uint32_t offset) { return memory.read_as<uint64_t>(scene.results + offset); };
  // The clear precedes the counter. Half of the target, with the diagonal's centres counted once.
  EXPECT_EQ(value(0), 0u);
  EXPECT_EQ(value(8), 64u * 63 / 2);
  EXPECT_EQ(value(16), value(8));
  EXPECT_EQ(value(24), 64u * 64);
  EXPECT_EQ(value(32), value(24) + 64u * 63 / 2 + 2 * (64u * 65 / 2));
  EXPECT_EQ(value(256), 42u);
  EXPECT_EQ(result.queries.size(), 0u);
}

TEST(Scenes, StatisticsCount) {
  const Scene scene = scenes::statistics();
  const Outcome result(scene);
  const arch::Memory& memory = result.gpu->memory(0);
  const auto at = [&](uint64_t offset) { return memory.read_as<uint64_t>(scene.results + offset); };
  const auto value = [&](uint64_t i) { return at(8 * i); };
  EXPECT_EQ(value(0), 4u);  // vertices
  EXPECT_EQ(value(1), 2u);  // triangles
  EXPECT_EQ(value(2), 4u);  // vertex program invocations
  EXPECT_EQ(value(7), 64u * 64);
  // Five statistics, three times each, and two timestamps.
  EXPECT_EQ(result.queries.size(), 17u);
  // Between begin and end: two more squares, and two instances of one of their triangles.
  EXPECT_EQ(at(2048), 4u + 4 + 4 + 6);
  EXPECT_EQ(at(2056), 2u + 2 + 2 + 2);
  EXPECT_EQ(at(2064), 3 * 64u * 64);
  EXPECT_EQ(at(2072), 1u);
  const auto word = [&](uint64_t offset) { return memory.read_as<uint32_t>(scene.results + offset); };
  EXPECT_GT(word(2304), 0u);
  EXPECT_GT(word(2336), word(2304));
  EXPECT_EQ(word(2308), 1u);
  EXPECT_EQ(at(2560), 0u);
}

TEST(Scenes, TransformFeedbackCapturesWholePrimitives) {
  const Scene scene = scenes::transform_feedback();
  const Outcome result(scene);
  const arch::Memory& memory = result.gpu->memory(0);
  float vertex[7][4];
  memory.read(scene.results, vertex, sizeof vertex);
  // The second triangle of the strip with its provoking vertex last.
  const float expected[7][2] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}, {0, 0}};
  for (uint32_t i = 0; i < 7; i++) {
    EXPECT_EQ(vertex[i][0], expected[i][0]) << i;
    EXPECT_EQ(vertex[i][1], expected[i][1]) << i;
  }
  EXPECT_EQ(memory.read_as<uint32_t>(scene.results + 1024), 96u);
  const auto difference = [&](uint64_t at) {
    return memory.read_as<uint64_t>(at + 8) - memory.read_as<uint64_t>(at);
  };
  EXPECT_EQ(difference(scene.results + 1056), 2u);
  EXPECT_EQ(difference(scene.results + 1088), 3u);
  EXPECT_EQ(scenes::texel32(memory, scene.color, 40, 40), 0xffffffffu);
}

TEST(Scenes, FramesAreCountedAndHashesRepeat) {
  const Scene scene = scenes::animation(3);
  const Outcome first(scene), second(scene, {.first_frame = 10});
  ASSERT_EQ(first.pictures.size(), 3u);
  EXPECT_NE(first.pictures[0].rgba, first.pictures[1].rgba);
  EXPECT_EQ(first.gpu->hash(), second.gpu->hash());
  EXPECT_NE(first.gpu->hash(), Outcome(scenes::animation(2)).gpu->hash());
}

// The emulator makes no pictures if nobody takes them. Timestamps count their steps all the same.
TEST(Scenes, MemoryAndTimeDoNotDependOnPictures) {
  scenes::Scene scene = scenes::animation(2);
  const Outcome shown(scene);
  const std::unique_ptr<Emulator> blind = make_emulator({});
  scenes::play(scene, *blind);
  EXPECT_EQ(blind->hash(), shown.gpu->hash());
  const auto clock = [](Emulator& gpu) { return dynamic_cast<const arch::DeviceClock&>(gpu).ticks(); };
  EXPECT_EQ(clock(*blind), clock(*shown.gpu));
}

}  // namespace
}  // namespace cutaway::emulator::emulator_test
