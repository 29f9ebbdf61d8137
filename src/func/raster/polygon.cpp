#include "func/raster/clip.h"
#include "func/raster/setup_stages.h"

// Polygon modes (Vulkan "Polygon Mode"): draws the edges or vertices of a triangle after facing and culling.
namespace cutaway::func::raster {

SetupResult setup_polygon_part(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const arch::Registers& registers = context.registers;
  const SetupInput& input = context.input;
  // Facing, and depth bias of the triangle's plane.
  UnitBounds triangle = bounds;
  const SetupResult result = setup_triangle(context, primitive, triangle);
  if (result == SetupResult::kZeroArea) {
    // "Any triangle which is not front-facing is back-facing, including zero-area triangles."
    primitive.front_facing = false;
    if ((registers.raster.cull_mode & arch::kCullBack) != 0) return SetupResult::kCulledFace;
    primitive.basis[0] = primitive.basis[1] = {};
    primitive.basis_scale = 0;
    primitive.depth = {};
    primitive.depth_low = 0, primitive.depth_high = 1;
  } else if (result != SetupResult::kAccepted) {
    return result;
  }
  const double bias = registers.raster.depth_bias != 0 ? depth_bias(registers, primitive) : 0;

  primitive.edges = 0;
  primitive.clipped = false;
  const uint32_t vertex = (input.first + input.part) % 3;
  SetupResult made;
  if (static_cast<arch::PolygonMode>(registers.raster.polygon_mode) == arch::PolygonMode::kPoint) {
    // A clipped polygon lacks this vertex. The vertices that clipping creates are not drawn.
    const float* distances = input.distances != nullptr ? input.distances[vertex] : nullptr;
    if (clip_code(registers, input.position[vertex], distances) != 0) return SetupResult::kNoPixels;
    made = setup_point(context, vertex, primitive, bounds);
  } else {
    made = setup_line(context, vertex, (vertex + 1) % 3, primitive, bounds);
    if (made == SetupResult::kZeroArea) made = SetupResult::kNoPixels;
  }
  add_bias(bias, primitive);
  return made;
}

}  // namespace cutaway::func::raster
