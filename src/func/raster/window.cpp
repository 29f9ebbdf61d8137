#include "func/raster/window.h"

namespace cutaway::func::raster {

bool View::read(const arch::Viewport& viewport) {
  for (int i = 0; i < 3; ++i)
    if (!finite(viewport.scale[i]) || !finite(viewport.offset[i])) return false;
  scale_x = load(viewport.scale[0]) * kUnits, offset_x = load(viewport.offset[0]) * kUnits;
  scale_y = load(viewport.scale[1]) * kUnits, offset_y = load(viewport.offset[1]) * kUnits;
  scale_z = load(viewport.scale[2]), offset_z = load(viewport.offset[2]);
  return true;
}

WindowVertex window_vertex(const View& view, const float position[4]) {
  WindowVertex v;
  v.x = load(position[0]) * view.scale_x;
  v.y = load(position[1]) * view.scale_y;
  v.z = load(position[2]);
  v.w = load(position[3]);
  v.snapped = false;
  v.unit_x = v.unit_y = 0;
  if (!(v.w > 0)) return v;
  const double x = v.x / v.w + view.offset_x, y = v.y / v.w + view.offset_y;
  constexpr double kBand = kGuardBandUnits;
  if (!(x >= -kBand && x <= kBand && y >= -kBand && y <= kBand)) return v;
  const double snapped_x = round_to_integer(x), snapped_y = round_to_integer(y);
  v.snapped = true;
  v.unit_x = static_cast<int64_t>(snapped_x), v.unit_y = static_cast<int64_t>(snapped_y);
  v.x = (snapped_x - view.offset_x) * v.w, v.y = (snapped_y - view.offset_y) * v.w;
  return v;
}

HalfPlane to_edge(const Plane& line, bool inclusive, Edge& edge) {
  const double steepest = larger(absolute(line.a), absolute(line.b));
  // The line lies at infinity: only its side matters.
  if (steepest < 1e-290) return line.c > 0 ? HalfPlane::kEverything : HalfPlane::kNothing;
  // The power of two that scales the larger coefficient to 2^24 to 2^25.
  const int exponent = static_cast<int>(std::bit_cast<uint64_t>(steepest) >> 52) - 1023;
  const double scale = std::bit_cast<double>(static_cast<uint64_t>(24 - exponent + 1023) << 52);
  const double c = line.c * scale;
  if (!(absolute(c) < 0x1p50)) return c > 0 ? HalfPlane::kEverything : HalfPlane::kNothing;
  edge.a = static_cast<int32_t>(round_to_integer(line.a * scale));
  edge.b = static_cast<int32_t>(round_to_integer(line.b * scale));
  edge.c = static_cast<int64_t>(round_to_integer(c));
  if (!inclusive) apply_top_left_rule(edge);
  return HalfPlane::kEdge;
}

}  // namespace cutaway::func::raster
