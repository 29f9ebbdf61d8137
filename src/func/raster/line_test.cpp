#include "func/raster/line.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func::line_test {
namespace {

using namespace testing;

constexpr int kSize = 64;

Picture draw_line(const arch::Registers& r, Position a, Position b) {
  Picture picture(kSize, kSize);
  Primitive primitive;
  if (set_up(r, std::array{a, b}, primitive) == SetupResult::kAccepted) picture.draw(primitive);
  return picture;
}

// Vulkan "Bresenham Line Segment Rasterization", literally: true if the segment, with its ends moved by -(e,
// e²), intersects the open diamond around a pixel's centre and does not end in it. In 2^-40 units; e is
// 2^-20.
class DiamondRule {
 public:
  DiamondRule(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
      : p_{x0 * kScale - kE, y0 * kScale - 1}, q_{x1 * kScale - kE, y1 * kScale - 1} {}

  bool draws(int column, int row) const {
    const int64_t cx = (column * 256 + 128) * kScale, cy = (row * 256 + 128) * kScale;
    // The inside part along the segment: t > low and t < high, as fractions.
    Fraction low{0, 1}, high{1, 1};
    bool ends_inside = true;
    for (const int sx : {-1, 1})
      for (const int sy : {-1, 1}) {
        const Wide at_p = side(p_, cx, cy, sx, sy), at_q = side(q_, cx, cy, sx, sy);
        ends_inside &= at_q > 0;
        if (at_p <= 0 && at_q <= 0) return false;
        if (at_p <= 0) low = later(low, {-at_p, at_q - at_p});
        if (at_q <= 0) high = earlier(high, {at_p, at_p - at_q});
      }
    return !ends_inside && less(low, high);
  }

 private:
  __extension__ using Wide = __int128;
  static constexpr int64_t kScale = int64_t{1} << 40, kE = int64_t{1} << 20;
  struct Point {
    int64_t x, y;
  };
  struct Fraction {
    Wide over, under;  // under > 0
  };
  static Wide side(const Point& p, int64_t cx, int64_t cy, int sx, int sy) {
    return Wide{128} * kScale - (Wide{sx} * (p.x - cx) + Wide{sy} * (p.y - cy));
  }
  static bool less(const Fraction& a, const Fraction& b) { return a.over * b.under < b.over * a.under; }
  static Fraction later(const Fraction& a, const Fraction& b) { return less(a, b) ? b : a; }
  static Fraction earlier(const Fraction& a, const Fraction& b) { return less(a, b) ? a : b; }

  Point p_, q_;
};

arch::Registers line_registers(arch::LineMode mode, float width = 1, int size = kSize) {
  arch::Registers r = registers(size, size);
  r.raster.line_mode = static_cast<uint32_t>(mode);
  r.raster.line_width = width;
  return r;
}

TEST(BresenhamLine, IsTheDiamondRuleToTheBit) {
  constexpr int kPixels = 16;
  const arch::Registers r = line_registers(arch::LineMode::kBresenham, 1, kPixels);
  Random random(30);
  int lines = 0;
  for (int i = 0; i < 3000; ++i) {
    // Many ends on centres, corners and sides of diamonds.
    const int grid = i % 3 == 0 ? 128 : i % 3 == 1 ? 64 : 1;
    int32_t x[2], y[2];
    for (int k = 0; k < 2; ++k)
      x[k] = random.integer(0, kPixels * 256 / grid) * grid,
      y[k] = random.integer(0, kPixels * 256 / grid) * grid;
    if (i % 5 == 0) y[1] = y[0] + (x[1] - x[0]) * (i % 2 == 0 ? 1 : -1);  // diagonals
    // Ends on the border of a diamond are not treated as by the perturbation.
    const auto on_border = [&](int k) {
      return std::abs((x[k] & 255) - 128) + std::abs((y[k] & 255) - 128) == 128;
    };
    if (on_border(0) || on_border(1)) continue;
    ++lines;
    Picture picture(kPixels, kPixels);
    Primitive primitive;
    if (set_up(r,
               std::array{at_window(r, x[0] / 256.0, y[0] / 256.0), at_window(r, x[1] / 256.0, y[1] / 256.0)},
               primitive) == SetupResult::kAccepted)
      picture.draw(primitive);
    const DiamondRule rule(x[0], y[0], x[1], y[1]);
    for (int row = 0; row < kPixels; ++row)
      for (int column = 0; column < kPixels; ++column)
        ASSERT_EQ(picture.at(column, row), rule.draws(column, row))
            << "line " << i << " (" << x[0] << ", " << y[0] << ") to (" << x[1] << ", " << y[1] << ") at "
            << column << ", " << row;
  }
  EXPECT_GT(lines, 1500);
}

// Across pixel borders, as on every other GPU.
TEST(BresenhamLine, ADiamondsBorderLiesInNoDiamond) {
  const arch::Registers r = line_registers(arch::LineMode::kBresenham);
  for (const bool back : {false, true}) {
    const auto a = at_window(r, 20, 20.5), b = at_window(r, 30, 20.5);
    const Picture row = back ? draw_line(r, b, a) : draw_line(r, a, b);
    EXPECT_EQ(row.total(), 10);
    EXPECT_EQ(row.at(20, 20) + row.at(29, 20), 2) << back;
    const auto c = at_window(r, 8.5, 7), d = at_window(r, 8.5, 11);
    const Picture column = back ? draw_line(r, d, c) : draw_line(r, c, d);
    EXPECT_EQ(column.total(), 4);
    EXPECT_EQ(column.at(8, 7) + column.at(8, 10), 2) << back;
  }
}

TEST(BresenhamLine, WidthMakesColumnsOrRows) {
  Random random(31);
  for (const int width : {2, 3, 6}) {
    const arch::Registers thin = line_registers(arch::LineMode::kBresenham),
                          wide = line_registers(arch::LineMode::kBresenham, static_cast<float>(width));
    for (int i = 0; i < 200; ++i) {
      const int32_t x0 = random.integer(10, 54) * 256 + 128, y0 = random.integer(10, 54) * 256 + 128;
      const int32_t x1 = random.integer(10, 54) * 256 + 128, y1 = random.integer(10, 54) * 256 + 128;
      const bool x_major = std::abs(x1 - x0) >= std::abs(y1 - y0);
      // "offset in the minor direction by (w - 1)/2", then a column of w from each pixel of that line.
      const double sx = x_major ? 0 : (width - 1) / 2.0, sy = x_major ? (width - 1) / 2.0 : 0;
      const Picture line = draw_line(thin, at_window(thin, x0 / 256.0 - sx, y0 / 256.0 - sy),
                                     at_window(thin, x1 / 256.0 - sx, y1 / 256.0 - sy));
      const Picture thick =
          draw_line(wide, at_window(wide, x0 / 256.0, y0 / 256.0), at_window(wide, x1 / 256.0, y1 / 256.0));
      for (int row = 0; row < kSize; ++row)
        for (int column = 0; column < kSize; ++column) {
          int expected = 0;
          for (int k = 0; k < width; ++k) {
            const int u = column - (x_major ? 0 : k), v = row - (x_major ? k : 0);
            if (u >= 0 && v >= 0) expected += line.at(u, v);
          }
          ASSERT_EQ(thick.at(column, row), expected) << i << ": " << column << ", " << row;
        }
    }
  }
}

TEST(BresenhamLine, AllSamplesOfAPixelAreCoveredTogether) {
  arch::Registers r = line_registers(arch::LineMode::kBresenham);
  const Picture centre = draw_line(r, at_window(r, 3.3, 7.1), at_window(r, 40.2, 30.9));
  r.raster.samples = 4;
  Primitive primitive;
  ASSERT_EQ(set_up(r, std::array{at_window(r, 3.3, 7.1), at_window(r, 40.2, 30.9)}, primitive),
            SetupResult::kAccepted);
  for (uint32_t sample = 0; sample < 4; ++sample) {
    Picture picture(kSize, kSize);
    picture.draw(primitive, sample_offset(4, sample));
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(picture.at(x, y), centre.at(x, y));
  }
}

TEST(RectangularLine, CoversTheRectangleAroundIt) {
  Random random(35);
  for (int i = 0; i < 300; ++i) {
    const double width = random.real(1, 12);
    const arch::Registers r = line_registers(arch::LineMode::kDefault, static_cast<float>(width));
    const double x0 = random.real(0, 64), y0 = random.real(0, 64), x1 = random.real(0, 64),
                 y1 = random.real(0, 64);
    const Picture picture = draw_line(r, at_window(r, x0, y0), at_window(r, x1, y1));
    const double dx = x1 - x0, dy = y1 - y0, length = std::hypot(dx, dy);
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column) {
        const double u = column + 0.5 - x0, v = row + 0.5 - y0;
        const double along = (u * dx + v * dy) / length, across = std::abs(u * dy - v * dx) / length;
        // Distance of the centre inside the line, up to rounding of ends and width.
        const double inside = std::min({along, length - along, width / 2 - across});
        if (std::abs(inside) <= 0.02 * (1 + 1 / length)) continue;
        ASSERT_EQ(picture.at(column, row), inside > 0) << i << ": " << column << ", " << row;
      }
  }
}

TEST(RectangularLine, PiecesOfALineDrawItOnce) {
  const arch::Registers r = line_registers(arch::LineMode::kRectangular, 5);
  Random random(36);
  for (int i = 0; i < 100; ++i) {
    // A point on the line in whole units, so that the pieces are exactly collinear.
    const int32_t ux = random.integer(-40, 40), uy = random.integer(-40, 40);
    const int32_t x0 = random.integer(20 * 256, 40 * 256), y0 = random.integer(20 * 256, 40 * 256);
    const auto at = [&](int k) { return at_window(r, (x0 + k * ux) / 256.0, (y0 + k * uy) / 256.0); };
    const Picture whole = draw_line(r, at(0), at(50)), first = draw_line(r, at(0), at(20)),
                  second = draw_line(r, at(20), at(50));
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(whole.at(x, y), first.at(x, y) + second.at(x, y));
  }
}

TEST(SmoothLine, CoverageAddsUpToTheArea) {
  Random random(37);
  for (int i = 0; i < 100; ++i) {
    const double width = random.real(1, 6);
    const arch::Registers r = line_registers(arch::LineMode::kRectangularSmooth, static_cast<float>(width));
    const double x0 = random.real(10, 54), y0 = random.real(10, 54), angle = random.real(0, 6.28);
    const double length = random.real(4, 9), x1 = x0 + length * std::cos(angle),
                 y1 = y0 + length * std::sin(angle);
    Primitive primitive;
    ASSERT_EQ(set_up(r, std::array{at_window(r, x0, y0), at_window(r, x1, y1)}, primitive),
              SetupResult::kAccepted);
    EXPECT_TRUE(primitive.whole_pixels);
    Picture picture(kSize, kSize);
    double sum = 0;
    float least = 1;
    picture.draw(primitive, [&](int32_t x, int32_t y) {
      float coverage[4];
      smooth_coverage(primitive, quad_positions(x, y), coverage);
      sum += static_cast<double>(coverage[0]);
      least = std::min(least, coverage[0]);
      ASSERT_LE(coverage[0], 1);
    });
    EXPECT_GE(least, 0);
    EXPECT_LT(least, 0.5f) << "it reaches to where its coverage ends";
    EXPECT_NEAR(sum, width * length, 0.06 * width * length) << "line " << i;
  }
}

// The pixels of a stippled line from left to right, as text.
std::string stippled_row(const arch::Registers& r, StippleCounter& counter, int from, int to,
                         uint32_t strip) {
  float position[2][4];
  const Position ends[2] = {at_window(r, from + 0.5, 20.5), at_window(r, to + 0.5, 20.5)};
  for (int i = 0; i < 2; ++i) std::copy(ends[i].begin(), ends[i].end(), position[i]);
  SetupInput input;
  input.position = position;
  input.vertices = 2;
  input.stipple_phase = counter.phase(2, 0, strip);
  Primitive primitive;
  EXPECT_EQ(setup(r, input, primitive), SetupResult::kAccepted);
  counter.advance(primitive);
  Picture picture(kSize, kSize);
  picture.draw(primitive);
  std::string text;
  for (int x = std::min(from, to); x < std::max(from, to); ++x) text += picture.at(x, 20) ? '#' : '.';
  return text;
}

TEST(LineStipple, RunsAlongStripsAndRestartsOtherwise) {
  for (const auto mode : {arch::LineMode::kBresenham, arch::LineMode::kRectangular}) {
    arch::Registers r = line_registers(mode);
    r.raster.line_stipple = 0x00f1 | 2 << 16;  // from bit 0: #...####........, each twice
    StippleCounter counter;
    counter.begin_draw();
    EXPECT_EQ(stippled_row(r, counter, 3, 8, 7), "##...");
    EXPECT_EQ(stippled_row(r, counter, 8, 21, 7), "...########..") << "the same strip goes on";
    EXPECT_EQ(stippled_row(r, counter, 3, 8, 8), "##...") << "another strip";
    counter.begin_draw();
    EXPECT_EQ(stippled_row(r, counter, 3, 8, 8), "##...") << "another draw";
    counter.begin_draw();
    // Bresenham draws the pixel in which the line starts, which is not displayed, but not the one in which it
    // ends; of the rectangle's ends the left one is inclusive.
    EXPECT_EQ(stippled_row(r, counter, 12, 2, 1),
              mode == arch::LineMode::kBresenham ? ".##......#" : "###......#");
  }
}

TEST(LineStipple, OfARectangleGoesBySamples) {
  arch::Registers r = line_registers(arch::LineMode::kRectangular, 9);
  r.raster.line_stipple = 0x5555 | 4 << 16;
  const double x0 = 5, y0 = 8, dx = 40, dy = 30;
  const Picture picture = draw_line(r, at_window(r, x0, y0), at_window(r, x0 + dx, y0 + dy));
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      const double u = column + 0.5 - x0, v = row + 0.5 - y0;
      const double along = (u * dx + v * dy) / 50, across = std::abs(u * dy - v * dx) / 50;
      if (along < 0 || along > 50 || across > 4.45 || std::abs(std::remainder(along, 4)) < 1e-6) continue;
      ASSERT_EQ(picture.at(column, row), static_cast<int>(along / 4) % 2 == 0) << column << ", " << row;
    }
}

TEST(RectangularLine, DirectionDoesNotMatter) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    const auto p = at_window(r, random.real(0, 64), random.real(0, 64));
    const auto q = at_window(r, random.real(0, 64), random.real(0, 64));
    const Picture there = draw_line(r, p, q), back = draw_line(r, q, p);
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(there.at(x, y), back.at(x, y));
  }
}

TEST(BresenhamLine, AStripDrawsEachColumnOnce) {
  const arch::Registers r = line_registers(arch::LineMode::kBresenham);
  Random random(33);
  for (int i = 0; i < 100; ++i) {
    Picture picture(kSize, kSize);
    double x = 0, y = 32;
    while (x < 64) {
      const double to_x = std::min(64.0, x + random.real(0.3, 9)), d = (to_x - x) * 0.99;
      const double to_y = std::min(std::max(y + random.real(-d, d), 2.0), 62.0);
      Primitive primitive;
      const auto result = set_up(r, std::array{at_window(r, x, y), at_window(r, to_x, to_y)}, primitive);
      if (result == SetupResult::kAccepted) picture.draw(primitive);
      x = to_x, y = to_y;
    }
    for (int column = 0; column < kSize; ++column) {
      int count = 0;
      for (int row = 0; row < kSize; ++row) count += picture.at(column, row);
      ASSERT_EQ(count, 1) << column;
    }
  }
}

TEST(Line, WidthThickensTheMinorAxis) {
  arch::Registers r = registers(kSize, kSize);
  r.raster.line_width = 3;
  const Picture picture = draw_line(r, at_window(r, 10, 20.5), at_window(r, 30, 20.5));
  EXPECT_EQ(picture.total(), 60);
  for (int y : {19, 20, 21}) EXPECT_EQ(picture.at(10, y) + picture.at(29, y), 2);
}

TEST(Line, ClippingChangesNoValue) {
  arch::Registers r = line_registers(arch::LineMode::kBresenham);
  // From in front of the eye to behind it.
  const Position a{-0.5f, -0.25f, 0.5f, 1}, b{4, 1, 0.5f, -1};
  Primitive primitive;
  ASSERT_EQ(set_up(r, std::array{a, b}, primitive), SetupResult::kAccepted);
  EXPECT_TRUE(primitive.clipped);
  Picture picture(kSize, kSize);
  picture.draw(primitive, [&](int32_t x, int32_t y) {
    Barycentrics<4> weights;
    barycentrics<4>(primitive, quad_positions(x, y), {}, weights);
    // Projects the pixel's centre onto the line, which goes from (16, 24) towards (56, 12), then intersects
    // the ray through that column with the line: x + t dx = n (w + t dw).
    const double u = ((x + 0.5 - 16) * 56 + (y + 0.5 - 24) * 12) / (56 * 56 + 12 * 12) * 56;
    const double n = (16 + u) / 32 - 1;
    const double t = (n * a[3] - a[0]) / ((b[0] - a[0]) - n * (b[3] - a[3]));
    EXPECT_NEAR(weights.p1[0], t, 1e-4) << x;
    EXPECT_NEAR(weights.inv_w[0], 1 / (a[3] + t * (b[3] - a[3])), 2e-3 * weights.inv_w[0]) << x;
  });
  EXPECT_EQ(picture.total(), 48) << "columns 16 to 63";
  // Half of the line is before the near plane.
  r.raster.depth_clip = 1;
  EXPECT_EQ(draw_line(r, at_window(r, 8, 9.5, -0.5f), at_window(r, 24, 9.5, 0.5f)).total(), 8);
  EXPECT_EQ(draw_line(r, at_window(r, 8, 9.5, -0.5f), at_window(r, 24, 9.5, -0.1f)).total(), 0);
  r.vertex_out.clip_distances = 1;
  const ClipDistances distances[2] = {{3}, {-1}};
  ASSERT_EQ(set_up(r, std::array{at_window(r, 8, 9.5), at_window(r, 24, 9.5)}, primitive, 1, distances),
            SetupResult::kAccepted);
  Picture cut(kSize, kSize);
  cut.draw(primitive);
  EXPECT_EQ(cut.total(), 12);
}

TEST(Line, InterpolatesByProjection) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  ASSERT_EQ(
      set_up(r, std::array{at_window(r, 40.5, 8, 0.25f, 1), at_window(r, 8.5, 20, 0.75f, 1)}, primitive),
      SetupResult::kAccepted);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, quad_positions(32, 11), {}, weights);
  // (32.5, 11.5) - (40.5, 8) on (-32, 12).
  const float t = (8 * 32 + 3.5f * 12) / (32 * 32 + 12 * 12);
  EXPECT_FLOAT_EQ(weights.p1[0], t);
  EXPECT_FLOAT_EQ(weights.l1[0], t);
  EXPECT_EQ(weights.p2[0], 0);
  float z[4];
  depth<4>(primitive, quad_positions(32, 11), {}, z);
  EXPECT_FLOAT_EQ(z[0], 0.25f + t / 2);
}

TEST(Line, OfNoLengthIsCulled) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  EXPECT_EQ(set_up(r, std::array{at_window(r, 8, 8), at_window(r, 8, 8)}, primitive), SetupResult::kZeroArea);
}

}  // namespace
}  // namespace cutaway::func::line_test
