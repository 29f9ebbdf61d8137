#include "func/raster/setup_stages.h"

// Setup of points.
namespace cutaway::func::raster {

SetupResult setup_point(const SetupContext& context, uint32_t vertex, Primitive& primitive,
                        UnitBounds& bounds) {
  const WindowVertex& v = context.vertex[vertex];
  if (!v.snapped) return SetupResult::kNoPixels;  // beyond the guard band, so beyond any framebuffer
  const int64_t size = extent(context.input.point_size, arch::kMaxPointSize), half = size / 2;
  add_interval(primitive, 0, v.unit_x - half, v.unit_x + half);
  add_interval(primitive, 1, v.unit_y - half, v.unit_y + half);
  bounds = {v.unit_x - half, v.unit_y - half, v.unit_x + half, v.unit_y + half};

  primitive.basis[0] = {1, 0, -static_cast<double>(v.unit_x)};
  primitive.basis[1] = {0, 1, -static_cast<double>(v.unit_y)};
  primitive.basis_scale = 1.0 / static_cast<double>(size);
  const double depth = v.z / v.w * context.view.scale_z + context.view.offset_z, inv_w = 1.0 / v.w;
  primitive.depth = {depth, 0, 0};
  primitive.inv_w = {inv_w, 0, 0};
  primitive.q1 = {vertex == 1 ? inv_w : 0, 0, 0};
  primitive.q2 = {vertex == 2 ? inv_w : 0, 0, 0};
  primitive.linear1 = {vertex == 1 ? 1.0 : 0.0, 0, 0};
  primitive.linear2 = {vertex == 2 ? 1.0 : 0.0, 0, 0};
  primitive.depth_low = primitive.depth_high = depth;
  return SetupResult::kAccepted;
}

}  // namespace cutaway::func::raster
