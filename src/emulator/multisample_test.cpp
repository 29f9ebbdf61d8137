#include <gtest/gtest.h>
#include <map>

#include "emulator/testing/outcome.h"
#include "func/raster/primitive.h"
#include "func/rop/target_view.h"
#include "scenes/parts.h"

namespace cutaway::emulator::multisample_test {
namespace {

using scenes::Scene;

// The samples of the scene's multisampled target, read from `depth`.
struct Samples {
  explicit Samples(const Scene& scene) : result(scene), view(func::make_target_view(scene.depth)) {}
  uint32_t at(uint32_t x, uint32_t y, uint32_t sample) const {
    return result.gpu->memory(0).read_as<uint32_t>(view.address(x, y, sample));
  }
  Outcome result;
  func::TargetView view;
};

// White with four samples left of an edge that moves right by a pixel in 16 rows, or with `upright`, above
// one that moves down by a pixel in 16 columns; black elsewhere; resolved.
Scene slow_edge(bool upright) {
  constexpr uint32_t kSamples = 4;
  scenes::Builder b("slow-edge");
  const arch::Surface resolved = b.color_target();
  const arch::Surface drawn =
      b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kTiled, 1, kSamples);
  b.target(drawn);
  b.registers.raster.samples = kSamples, b.registers.raster.sample_mask = ~0u;
  b.clear(0, 0, 0, 1);
  scenes::color_programs(b);
  std::vector<float> vertices;
  for (const auto& [across, along] : {std::pair{28.0f, -64.0f}, {40.0f, 128.0f}, {-400.0f, 32.0f}}) {
    const float x = (upright ? along : across) / 32 - 1, y = (upright ? across : along) / 32 - 1;
    vertices.insert(vertices.end(), {x, y, 0, 1, 1, 1, 1, 1});
  }
  b.vertices(vertices, {4, 4});
  b.draw(3);
  scenes::resolve_samples(b, drawn, resolved);
  b.end_frame();
  return b.take();
}

// No two standard locations share a row or a column: in either direction an edge fades from white to black
// through all three mixtures, each over four pixels; samples in the corners of a square would give one.
TEST(SampleLocations, FourSamplesGiveFourStepsInEitherDirection) {
  constexpr double kAcross[2][4] = {{0.375, 0.875, 0.125, 0.625}, {0.125, 0.375, 0.625, 0.875}};
  for (const bool upright : {false, true}) {
    const Outcome result(slow_edge(upright));
    for (uint32_t along = 0; along < 64; along++)
      for (uint32_t across = 28; across < 40; across++) {
        uint32_t covered = 0;
        for (uint32_t s = 0; s < 4; s++) {
          const double edge = 32 + (along + kAcross[!upright][s]) / 16;
          covered += across + kAcross[upright][s] < edge;
        }
        const uint32_t pixel = upright ? result.pixel(along, across) : result.pixel(across, along);
        EXPECT_NEAR(pixel & 255, 255 * covered / 4.0, 0.5001) << upright << ": " << across << ", " << along;
      }
    // The first pixels of each shade.
    std::map<uint32_t, uint32_t> pixels;
    for (uint32_t along = 0; along < 16; along++)
      pixels[(upright ? result.pixel(along, 32) : result.pixel(32, along)) & 255]++;
    EXPECT_EQ(pixels, (std::map<uint32_t, uint32_t>{{0, 2}, {64, 4}, {128, 4}, {191, 4}, {255, 2}}));
  }
}

class Multisample : public ::testing::TestWithParam<uint32_t> {};

TEST_P(Multisample, ResolveIsTheMeanOfTheSamples) {
  const Scene scene = scenes::multisampled(GetParam());
  const Samples samples(scene);
  uint32_t mixed = 0;
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++)
      for (uint32_t c = 0; c < 3; c++) {
        uint32_t sum = 0;
        bool differ = false;
        for (uint32_t s = 0; s < GetParam(); s++) {
          sum += samples.at(x, y, s) >> 8 * c & 255;
          differ |= (samples.at(x, y, s) ^ samples.at(x, y, 0)) >> 8 * c & 255;
        }
        mixed += differ;
        const auto mean = static_cast<double>(sum) / GetParam();
        ASSERT_NEAR(samples.result.pixel(x, y) >> 8 * c & 255, mean, 0.5001) << x << ", " << y;
      }
  EXPECT_GT(mixed, 300u);
}

// Blue is 64 if only the clear has drawn; the first triangle's samples are those inside its half planes.
TEST_P(Multisample, DrawsCountSamples) {
  const Scene scene = scenes::multisampled(GetParam());
  const Samples samples(scene);
  const arch::Memory& memory = samples.result.gpu->memory(0);
  const auto passed = [&](uint32_t draw) {
    const auto until = [&](uint32_t d) { return memory.read_as<uint64_t>(scene.results + 8 * d); };
    return draw ? until(draw) - until(draw - 1) : until(0);
  };
  // (-0.9, -0.9), (0.8, -0.7), (-0.2, 0.8) of 64 × 64 pixels: half of |1.7 × 1.7 - 0.7 × 0.2| × 32².
  const double area = (1.7 * 1.7 - 0.7 * 0.2) / 2 * 32 * 32;
  EXPECT_NEAR(static_cast<double>(passed(0)), area * GetParam(), 60.0 * GetParam() / 4);
  EXPECT_GT(passed(1), 0u);
  EXPECT_LT(passed(1), passed(0)) << "part of it lies behind";
  for (uint32_t draw = 2; draw < 9; draw++) EXPECT_GT(passed(draw), 0u) << draw;
}

TEST_P(Multisample, MasksAndAlphaChooseSamples) {
  const uint32_t n = GetParam();
  const Scene scene = scenes::multisampled(n);
  const Samples samples(scene);
  // Alpha falls from 1 at the left to 0 at the right of the triangle in the lower left corner: a sample is
  // white only if all lower-numbered ones are.
  uint32_t white = 0, partial = 0;
  for (uint32_t y = 52; y < 61; y++)
    for (uint32_t x = 2; x < 17; x++) {
      uint32_t kept = 0;
      for (uint32_t s = 0; s < n; s++) kept += samples.at(x, y, s) == 0xffffffff;
      white += kept == n;
      partial += kept > 0 && kept < n;
      for (uint32_t s = 1; s < n; s++) {
        if (samples.at(x, y, s) == 0xffffffff) { EXPECT_EQ(samples.at(x, y, s - 1), 0xffffffffu); }
      }
    }
  EXPECT_GT(white, 5u);
  EXPECT_GT(partial, 50u);
  // Inside the triangle of the program that omits sample 1: (56, 6). Its color is the mask.
  const uint32_t mask = (1u << n) - 1;
  EXPECT_NE(samples.at(56, 6, 0), samples.at(56, 6, 1));
  EXPECT_EQ(samples.at(56, 6, 0) & 255, (mask * 255 + 128) / 256);
  EXPECT_EQ(samples.at(56, 6, 0), samples.at(56, 6, n - 1));
}

TEST_P(Multisample, ShadesEachSampleAtItsPlace) {
  const uint32_t n = GetParam();
  const Scene scene = scenes::multisampled(n);
  const Samples samples(scene);
  // The red triangle's corners are (62.4, 62.4), (62.4, 35.2), (35.2, 60.8).
  const double area = 27.2 * 27.2;
  for (uint32_t s = 0; s < n; s++) {
    const func::SampleOffset offset = func::sample_offset(n, s);
    const double x = offset.x / 256.0, y = offset.y / 256.0;
    const uint32_t texel = samples.at(58, 52, s);
    EXPECT_NEAR(texel & 255, x * 255, 0.51) << s;
    EXPECT_NEAR(texel >> 8 & 255, y * 255, 0.51) << s;
    EXPECT_NEAR(texel >> 16 & 255, (2 * s + 1) / 16.0 * 255, 0.51) << s;
    const double red = ((35.2 - 62.4) * (52 + y - 35.2) - (60.8 - 35.2) * (58 + x - 62.4)) / -area;
    EXPECT_NEAR(texel >> 24, red * 255, 2) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Multisample, ::testing::Values(4u, 8u));

}  // namespace
}  // namespace cutaway::emulator::multisample_test
