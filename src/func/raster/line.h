#pragma once

#include <cstdint>

#include "func/raster/interpolate.h"
#include "func/raster/setup.h"

// Patterns of lines: stipple and smooth edges.
namespace cutaway::func {

// Vulkan "Line Stipple": the counter runs along the lines of a strip and along the edges of a polygon, and
// restarts at 0 with each strip, line of a list, polygon and draw. Lines that setup() rejects as a whole do
// not advance it, because in a GPU with a clipper in front they never reach it.
class StippleCounter {
 public:
  void begin_draw() { fresh_ = true; }
  // The phase to pass to setup of a line. strip: AssembledPrimitive::strip.
  uint32_t phase(uint32_t vertices, uint32_t part, uint32_t strip) {
    if (fresh_ || (vertices == 3 ? part == 0 : strip != strip_)) count_ = 0;
    fresh_ = false, strip_ = strip;
    return count_;
  }
  void advance(const Primitive& primitive) { count_ += primitive.line.steps; }

 private:
  bool fresh_ = true;
  uint32_t strip_ = 0, count_ = 0;
};

// Removes from a tile's coverage the gaps of a stippled line. Arguments as in tile_coverage.
uint64_t stippled(const Primitive& primitive, int32_t x, int32_t y, SampleOffset sample, uint64_t coverage);

// Smooth lines: the factor, 0 to 1, by which the alpha of a fragment's colors is multiplied. The line is a
// rectangle whose coverage falls off linearly over one pixel on each side: the product of the coverage along
// and across.
void smooth_coverage(const Primitive& primitive, const Positions<4>& at, float coverage[4]);

}  // namespace cutaway::func
