#pragma once

#include <cstdint>
#include <type_traits>

// The result of triangle setup for a primitive, or for an edge or vertex of a polygon: everything that later
// stages need to rasterise it.
//
// Window coordinates are fixed point: 1/256 pixel ("units"; Vulkan subPixelPrecisionBits = 8). Pixel (x, y)
// covers units [256 x, 256 x + 256) and has its centre at +128. y grows downwards.
//
// Coverage is an intersection of half planes with integer coefficients. The same edge seen from the two
// triangles that share it has negated coefficients, even if its vertices could not be snapped or lie behind
// the eye, and the top-left rule is folded into the constant: every sample on it is drawn exactly once.
namespace cutaway::func {

constexpr int kSubpixelBits = 8;
constexpr int kSubpixels = 1 << kSubpixelBits;             // units per pixel
constexpr int kPixelCenter = kSubpixels / 2;               // units
constexpr int kGuardBand = 1 << 15;                        // pixels from the window's origin, in every
                                                           // direction
constexpr int kGuardBandUnits = kGuardBand * kSubpixels;   // vertices inside are snapped
constexpr uint32_t kMaxClipDistances = 8;                  // clip and cull distances together
constexpr uint32_t kMaxEdges = 3 + 2 + kMaxClipDistances;  // triangle, near and far, user clip distances

// A sample at (x, y) units is inside if a x + b y + c >= 0. |a|, |b| <= 2^25 and |c| < 2^61, so that nothing
// overflows for samples of a framebuffer of up to 16384 pixels a side.
struct Edge {
  int64_t c = 0;
  int32_t a = 0, b = 0;

  int64_t at(int64_t x, int64_t y) const { return a * x + b * y + c; }
};

// Value a x + b y + c at (x, y) units.
struct Plane {
  double a = 0, b = 0, c = 0;
};

// Value constant + g1 k1 + g2 k2 over a primitive's basis functions g1 and g2.
struct Combination {
  double constant = 0, k1 = 0, k2 = 0;
};

// Parameters of stippled and smooth lines besides their edges; zero otherwise.
struct LinePattern {
  Plane along;   // pixels from the line's start; Bresenham lines: pixels along the major axis
  Plane across;  // smooth: pixels from the line's middle
  float length = 0, half_width = 0;  // smooth: pixels
  uint32_t phase = 0;                // stipple counter at the line's start
  uint32_t steps = 0;  // amount by which the line advances the stipple counter; valid even if the line is not
                       // accepted
  uint16_t pattern = 0;
  uint16_t factor = 0;  // 0: not stippled
  bool smooth = false;
};

// Evaluation is linear over two basis functions g = basis_scale × basis plane:
// - all vertices snapped: g are the linear barycentrics of vertices 1 and 2. The planes are the integer edge
//   functions, exact in double: neither slivers nor extrapolation to helper pixels lose precision.
// - a vertex behind the eye or outside the guard band: g are x and y relative to the viewport's centre, and
//   the combinations are the original triangle's by homogeneous coordinates (clipping changes no value).
// - lines: g1 is the position along the line, 0 at its start and 1 at its end. Points: g are PointCoord -
// 1/2. q1 and q2 are perspective barycentrics of vertices 1 and 2 divided by w, linear in window space.
struct Primitive {
  // Pixels that can be covered: x0 <= x < x1, y0 <= y < y1, within scissor, viewport and framebuffer.
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  uint32_t id = 0;
  uint8_t vertices = 0;  // 1 point, 2 line, 3 triangle, or an edge or vertex of a triangle
  uint8_t edges = 0;
  uint8_t samples = 1;
  bool front_facing = true;
  bool clipped = false;       // some vertex could not be snapped, or a clip plane cuts the primitive
  bool whole_pixels = false;  // the pixel's centre decides for all its samples
  bool whole_planes = false;  // the basis planes are whole numbers so small that sums of their terms are
                              // exact, in any order, as those of snapped triangles
  Edge edge[kMaxEdges];

  Plane basis[2];
  double basis_scale = 0;
  Combination depth;  // window depth with depth bias
  Combination inv_w;
  Combination q1, q2;
  Combination linear1, linear2;  // barycentrics of vertices 1 and 2 linear in window space

  // Window depth is clamped to this range; between the vertices it also stays within [depth_low, depth_high].
  float depth_min = 0, depth_max = 1;
  double depth_low = 0, depth_high = 1;
  double depth_quantum = 0;  // a step of a fixed-point depth format, else 0

  LinePattern line;
};
static_assert(std::is_trivially_copyable_v<Primitive>);
static_assert(sizeof(Primitive) <= 600);

// Position of a sample in its pixel, in units.
struct SampleOffset {
  uint8_t x = kPixelCenter, y = kPixelCenter;
};

// Vulkan "Multisampling", standard sample locations: samples is 1, 2, 4 or 8, index is less than samples.
SampleOffset sample_offset(uint32_t samples, uint32_t index);

}  // namespace cutaway::func
