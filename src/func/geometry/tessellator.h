#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/registers.h"

// The fixed-function tessellator (Vulkan "Tessellation Primitive Generation"; DX-11): from the factors of a
// patch to points of its domain, and how primitives connect them.
namespace cutaway::func {

// Coordinates in units of 2^-16, so that u and 1 - u are both exact, as fixed-point numbers and as floats. Of
// triangles the third is kDomainOne - u - v.
constexpr uint32_t kDomainOne = 1 << 16;

struct DomainPoint {
  uint32_t u = 0, v = 0;
  bool operator==(const DomainPoint&) const = default;
};

struct TessellationShape {
  arch::TessDomain domain = arch::TessDomain::kTriangles;
  arch::TessSpacing spacing = arch::TessSpacing::kEqual;
  bool clockwise = false;   // triangles, seen with u to the right and v downwards
  bool point_mode = false;  // a point for each point of the domain
};

struct TessFactors {
  std::array<float, 4>
      outer{};  // by edge: u = 0, v = 0, u = 1 (triangles: w = 0), v = 1; isolines: lines, segments
  std::array<float, 2> inner{};
};

// How an edge is divided. Where its points lie depends on its factor and on the spacing alone, and point i
// lies as far from one end as point segments() - i from the other.
class Subdivision {
 public:
  Subdivision(float factor, arch::TessSpacing spacing);

  uint32_t segments() const { return segments_; }
  uint32_t location(uint32_t point) const;  // 0 to kDomainOne; point: 0 to segments()

 private:
  uint32_t segments_ = 1;
  // Fractional factors lie between two that divide evenly: points move from where one has them to where the
  // other has, and on each half of the edge one segment of the smaller is split.
  uint32_t fraction_ = 0;          // of the way, in units of 2^-16
  uint32_t floor_segments_ = 1;    // of the smaller factor
  uint32_t split_ = ~uint32_t{0};  // the last point on a half edge that both have
};

struct Tessellation {
  std::vector<DomainPoint> points;
  std::vector<uint16_t> indices;  // of points, `vertices` for each primitive
  uint32_t vertices = 0;          // 1, 2 or 3

  // What any factors can come to.
  static constexpr uint32_t kMostSegments = arch::kMaxTessFactor;
  static constexpr uint32_t kMostPoints = (kMostSegments + 1) * (kMostSegments + 1);
};

// False: the patch is culled, since an outer factor that its domain uses is not above 0, or no number.
// Factors are clamped to what the spacing allows, at most arch::kMaxTessFactor.
bool tessellate(const TessellationShape& shape, const TessFactors& factors, Tessellation& made);

}  // namespace cutaway::func
