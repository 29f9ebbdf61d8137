#include "func/raster/samples.h"

#include <gtest/gtest.h>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"
#include "func/rop/exported_fragment.h"

namespace cutaway::func {
namespace {

using namespace testing;

TEST(Samples, LanesAndSamplesOfAQuad) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const QuadSamples quad = random.bits();
    std::array<uint32_t, 4> lane;
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < 4; ++l) {
      lane[l] = lane_samples(quad, l);
      for (uint32_t s = 0; s < kMaxSamples; ++s) EXPECT_EQ(lane[l] >> s & 1, sample_lanes(quad, s) >> l & 1);
      lanes |= (lane[l] != 0) << l;
    }
    EXPECT_EQ(any_sample(quad), lanes);
    EXPECT_EQ(quad_samples(lane), quad);
  }
  EXPECT_EQ(at_all_samples(5, 1), 5u);
  EXPECT_EQ(at_all_samples(5, 4), 0x5555u);
  EXPECT_EQ(at_all_samples(15, 8), 0xffffffffu);
}

// Vulkan "Multisampling", four standard sample locations: a rotated grid with one sample in each row and
// column of its 4 x 4 cells, at the cell's centre.
TEST(Samples, FourLieOnARotatedGrid) {
  constexpr double kStandard[4][2] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
  uint32_t columns = 0, rows = 0;
  for (uint32_t s = 0; s < 4; ++s) {
    const SampleOffset offset = sample_offset(4, s);
    EXPECT_EQ(offset.x, kStandard[s][0] * kSubpixels);
    EXPECT_EQ(offset.y, kStandard[s][1] * kSubpixels);
    columns |= 1u << offset.x * 4 / kSubpixels;
    rows |= 1u << offset.y * 4 / kSubpixels;
  }
  EXPECT_EQ(columns, 15u);
  EXPECT_EQ(rows, 15u);
}

// Positions of a jittered grid: its triangles cover the framebuffer and share every edge.
TEST(Samples, EverySampleOfAMeshIsDrawnOnce) {
  constexpr int kCells = 9, kSize = 48;
  arch::Registers r = registers(kSize, kSize);
  for (const uint32_t samples : {2u, 4u, 8u}) {
    r.raster.samples = samples;
    Random random(samples);
    Position corner[kCells + 1][kCells + 1];
    for (int y = 0; y <= kCells; ++y)
      for (int x = 0; x <= kCells; ++x)
        corner[y][x] = at_window(r, x * 8 - 12 + random.real(-2, 2), y * 8 - 12 + random.real(-2, 2), 0.5f,
                                 static_cast<float>(random.real(0.5, 3)));
    std::vector<std::array<int, kMaxSamples>> drawn(kSize * kSize);
    const auto draw = [&](const std::array<Position, 3>& triangle) {
      Primitive primitive;
      if (set_up(r, triangle, primitive) != SetupResult::kAccepted) return;
      for (int y = primitive.y0 & ~7; y < primitive.y1; y += 8)
        for (int x = primitive.x0 & ~7; x < primitive.x1; x += 8) {
          const TileSamples tile = tile_samples(primitive, x, y, ~0u);
          for (uint32_t i = 0; i < kTileQuads; ++i)
            for (uint32_t bit = 0; bit < 4 * samples; ++bit)
              if (tile.quad(i) >> bit & 1)
                drawn[static_cast<size_t>((y + quad_y(i) + static_cast<int>(bit >> 1 & 1)) * kSize + x +
                                          quad_x(i) + static_cast<int>(bit & 1))][bit / 4]++;
        }
    };
    for (int y = 0; y < kCells; ++y)
      for (int x = 0; x < kCells; ++x) {
        draw({corner[y][x], corner[y][x + 1], corner[y + 1][x]});
        draw({corner[y][x + 1], corner[y + 1][x + 1], corner[y + 1][x]});
      }
    for (size_t i = 0; i < drawn.size(); ++i)
      for (uint32_t s = 0; s < samples; ++s)
        ASSERT_EQ(drawn[i][s], 1) << samples << " samples: sample " << s << " of pixel " << i;
  }
}

// Coverage at a sample equals coverage at the centre of a picture moved by the sample's offset.
TEST(Samples, CoverageEqualsThatOfOneSampleMoved) {
  constexpr int kSize = 32;
  Random random(3);
  int drawn = 0;
  for (const uint32_t samples : {2u, 4u, 8u}) {
    for (int i = 0; i < 300; ++i) {
      arch::Registers r = registers(kSize, kSize);
      std::array<Position, 3> triangle;
      for (auto& p : triangle)
        p = at_window(r, random.real(-8, kSize + 8), random.real(-8, kSize + 8), 0.5f,
                      static_cast<float>(random.real(0.5, 2)));
      r.raster.samples = samples;
      Primitive several;
      const bool there = set_up(r, triangle, several) == SetupResult::kAccepted;
      for (uint32_t s = 0; s < samples; ++s) {
        const SampleOffset offset = sample_offset(samples, s);
        arch::Registers moved = registers(kSize, kSize);
        moved.raster.viewport[0].offset[0] += static_cast<float>(kPixelCenter - offset.x) / kSubpixels;
        moved.raster.viewport[0].offset[1] += static_cast<float>(kPixelCenter - offset.y) / kSubpixels;
        Primitive one;
        const bool moved_there = set_up(moved, triangle, one) == SetupResult::kAccepted;
        // The viewport, which has moved too, may cut the outermost pixels.
        for (int y = 0; y < kSize; y += 8)
          for (int x = 0; x < kSize; x += 8) {
            uint64_t inner = ~uint64_t{0};
            if (x == 0) inner &= ~0x0101010101010101u;
            if (x == kSize - 8) inner &= ~0x8080808080808080u;
            if (y == 0) inner &= ~0xffull;
            if (y == kSize - 8) inner &= ~0xff00000000000000u;
            const uint64_t covered = there ? tile_samples(several, x, y, 1u << s).any : 0;
            const uint64_t expected = moved_there ? tile_coverage(one, x, y) : 0;
            ASSERT_EQ(covered & inner, expected & inner) << samples << " samples, " << s;
            drawn += std::popcount(covered);
          }
      }
    }
  }
  EXPECT_GT(drawn, 100000);
}

TEST(Samples, TheSampleMaskTakesSamplesAway) {
  arch::Registers r = registers(16, 16);
  r.raster.samples = 4;
  Primitive primitive;
  ASSERT_EQ(
      set_up(r,
             std::array<Position, 3>{{at_window(r, -40, -40), at_window(r, 80, -40), at_window(r, -40, 80)}},
             primitive),
      SetupResult::kAccepted);
  const TileSamples tile = tile_samples(primitive, 0, 0, 0b0101);
  EXPECT_EQ(tile.any, ~uint64_t{0});
  for (uint32_t s = 0; s < 4; ++s) EXPECT_EQ(tile.sample[s], s % 2 ? 0 : ~uint64_t{0});
  EXPECT_EQ(tile_samples(primitive, 0, 0, 0).any, 0u);
  EXPECT_EQ(tile_samples(primitive, 0, 0, 0xf0).any, 0u) << "bits beyond the samples say nothing";
}

TEST(Samples, CentroidIsTheFirstCoveredEdgeSample) {
  // Lane 0: all samples; lane 1: samples 2 and 3; lane 2: none; lane 3: sample 0.
  const QuadSamples covered = quad_samples({15, 12, 0, 1});
  SampleOffset offset[4];
  centroids(4, covered, offset);
  const auto at = [&](uint32_t lane) { return std::pair(offset[lane].x, offset[lane].y); };
  EXPECT_EQ(at(0), std::pair(uint8_t{128}, uint8_t{128}));
  EXPECT_EQ(at(1), std::pair(sample_offset(4, 2).x, sample_offset(4, 2).y));
  EXPECT_EQ(at(2), std::pair(uint8_t{128}, uint8_t{128}));
  EXPECT_EQ(at(3), std::pair(sample_offset(4, 0).x, sample_offset(4, 0).y));
}

TEST(Samples, WeightsAtPlacesOfTheirOwnAreThoseOfEachPlace) {
  const arch::Registers r = registers(32, 32);
  Primitive primitive;
  ASSERT_EQ(set_up(r,
                   std::array<Position, 3>{{at_window(r, 1, 1, 0.5f, 1), at_window(r, 30, 3, 0.5f, 2),
                                            at_window(r, 5, 29, 0.5f, 3)}},
                   primitive),
            SetupResult::kAccepted);
  SampleOffset offset[4];
  for (uint32_t l = 0; l < 4; ++l) offset[l] = sample_offset(8, 2 * l);
  Barycentrics<4> mixed;
  barycentrics(primitive, quad_positions(8, 8), offset, mixed);
  for (uint32_t l = 0; l < 4; ++l) {
    Barycentrics<4> same;
    barycentrics<4>(primitive, quad_positions(8, 8), offset[l], same);
    EXPECT_EQ(mixed.p1[l], same.p1[l]);
    EXPECT_EQ(mixed.l2[l], same.l2[l]);
    EXPECT_EQ(mixed.inv_w[l], same.inv_w[l]);
  }
}

TEST(Samples, AlphaToCoverageGrowsWithAlpha) {
  for (const uint32_t samples : {1u, 2u, 4u, 8u}) {
    EXPECT_EQ(alpha_samples(samples, float_bits(0)), 0u);
    EXPECT_EQ(alpha_samples(samples, float_bits(1)), (1u << samples) - 1);
    EXPECT_EQ(alpha_samples(samples, float_bits(-3)), 0u);
    EXPECT_EQ(alpha_samples(samples, float_bits(3)), (1u << samples) - 1);
    EXPECT_EQ(alpha_samples(samples, 0x7fc00000), 0u);
    uint32_t before = 0;
    for (int i = 0; i <= 1000; ++i) {
      const uint32_t kept = alpha_samples(samples, float_bits(static_cast<float>(i) / 1000));
      EXPECT_EQ(kept & before, before);
      before = kept;
    }
  }
  EXPECT_EQ(alpha_samples(4, float_bits(0.5f)), 0b0011u);
}

TEST(Samples, ExportedMasksAndAlphaMeet) {
  const uint32_t mask[4] = {0b1110, 0b1111, 0, 0b0001};
  const uint32_t alpha[4] = {float_bits(0.5f), float_bits(0.25f), float_bits(1), float_bits(1)};
  const QuadSamples alive = quad_samples({15, 14, 15, 15});
  EXPECT_EQ(exported_samples(4, alive, nullptr, nullptr), alive);
  EXPECT_EQ(exported_samples(4, alive, mask, nullptr), quad_samples({14, 14, 0, 1}));
  EXPECT_EQ(exported_samples(4, alive, mask, alpha), quad_samples({2, 0, 0, 1}));
}

}  // namespace
}  // namespace cutaway::func
