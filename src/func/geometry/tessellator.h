#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/registers.h"

// The fixed-function tessellator (Vulkan "Tessellation Primitive Generation"; DX-11): turns the factors of a
// patch into points of its domain and the primitives that connect them.
namespace cutaway::func {

// Coordinates are in units of 2^-16, so that u and 1 - u are both exact, as fixed-point numbers and as
// floats. The third coordinate of triangles is kDomainOne - u - v.
constexpr uint32_t kDomainOne = 1 << 16;

struct DomainPoint {
  uint32_t u = 0, v = 0;
  bool operator==(const DomainPoint&) const = default;
};

struct TessellationShape {
  arch::TessDomain domain = arch::TessDomain::kTriangles;
  arch::TessSpacing spacing = arch::TessSpacing::kEqual;
  bool clockwise = false;   // triangles, seen with u pointing right and v down
  bool point_mode = false;  // one point for each point of the domain
};

struct TessFactors {
  std::array<float, 4>
      outer{};  // by edge: u = 0, v = 0, u = 1 (triangles: w = 0), v = 1; isolines: lines, segments
  std::array<float, 2> inner{};
};

// The subdivision of an edge. Positions of points depend only on the factor and the spacing. Point i is as
// far from one end as point segments() - i from the other.
class Subdivision {
 public:
  Subdivision(float factor, arch::TessSpacing spacing);

  uint32_t segments() const { return segments_; }
  uint32_t location(uint32_t point) const;  // 0 to kDomainOne; point: 0 to segments()

 private:
  uint32_t segments_ = 1;
  // A fractional factor lies between two integer factors: each point moves from its position for the smaller
  // one to its position for the larger one, and one segment of each half of the edge is split.
  uint32_t fraction_ = 0;          // fraction of the way, in units of 2^-16
  uint32_t floor_segments_ = 1;    // segments of the smaller factor
  uint32_t split_ = ~uint32_t{0};  // the last point of a half edge that both factors share
};

struct Tessellation {
  std::vector<DomainPoint> points;
  std::vector<uint16_t> indices;  // indices of points, `vertices` per primitive
  uint32_t vertices = 0;          // 1, 2 or 3

  // Upper bounds over all factors.
  static constexpr uint32_t kMostSegments = arch::kMaxTessFactor;
  static constexpr uint32_t kMostPoints = (kMostSegments + 1) * (kMostSegments + 1);
};

// Returns false, and culls the patch, if an outer factor that its domain uses is not above 0, or NaN. Clamps
// factors to the range of the spacing, at most arch::kMaxTessFactor.
bool tessellate(const TessellationShape& shape, const TessFactors& factors, Tessellation& made);

}  // namespace cutaway::func
