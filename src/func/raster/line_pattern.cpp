#include <bit>

#include "func/raster/coverage.h"
#include "func/raster/evaluate.h"
#include "func/raster/line.h"

namespace cutaway::func {

using namespace raster;

namespace {

double value(const Plane& plane, double x, double y) { return (plane.a * x + plane.b * y) + plane.c; }

double units(int32_t pixel, uint8_t offset) {
  return static_cast<double>(pixel) * kUnits + static_cast<double>(offset);
}

// The part of a pixel within [-half, half], given its centre's distance from the middle.
double inside(double distance, double half) { return clamp_to(half + 0.5 - absolute(distance), 0, 1); }

}  // namespace

uint64_t stippled(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample, uint64_t coverage) {
  const LinePattern& line = primitive.line;
  for (uint64_t rest = coverage; rest != 0; rest &= rest - 1) {
    const int bit = std::countr_zero(rest);
    const double along =
        value(line.along, units(x + bit % kTilePixels, sample.x), units(y + bit / kTilePixels, sample.y));
    // Positions before the line's start or beyond its end belong to its first or last step.
    const auto step = static_cast<uint32_t>(clamp_to(along, 0, line.steps > 0 ? line.steps - 1 : 0));
    const uint32_t position = (line.phase + step) / line.factor % 16;
    if ((line.pattern >> position & 1) == 0) coverage &= ~(uint64_t{1} << bit);
  }
  return coverage;
}

void smooth_coverage(const Primitive& primitive, const Positions<4>& at, float coverage[4]) {
  const LinePattern& line = primitive.line;
  const double half_length = static_cast<double>(line.length) / 2;
  for (uint32_t i = 0; i < 4; ++i) {
    const double x = units(at.x[i], kPixelCenter), y = units(at.y[i], kPixelCenter);
    const double along = inside(value(line.along, x, y) - half_length, half_length);
    coverage[i] = to_float(along * inside(value(line.across, x, y), static_cast<double>(line.half_width)));
  }
}

}  // namespace cutaway::func
