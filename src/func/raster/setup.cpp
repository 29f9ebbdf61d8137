#include "func/raster/setup.h"

#include <algorithm>

#include "arch/depth_clamp.h"
#include "base/error.h"
#include "func/raster/clip.h"
#include "func/raster/setup_stages.h"

namespace cutaway::func {

using namespace raster;

namespace {

struct PixelBounds {
  int64_t x0, y0, x1, y1;

  bool empty() const { return x0 >= x1 || y0 >= y1; }
};

// Limits pixels of one axis to those whose sample positions lie in [from, to) units.
void limit_to_viewport(double offset, double scale, bool multisampled, int64_t& first, int64_t& end) {
  constexpr double kFar = 2.0 * kGuardBandUnits;
  const double half = absolute(scale);
  const auto unit = [](double value) {
    return static_cast<int64_t>(round_to_integer(smaller(larger(value, -kFar), kFar)));
  };
  const int64_t from = unit(offset - half), to = unit(offset + half);
  // With one sample the pixel's centre decides, as for a triangle's left and right edges; otherwise any
  // position in it.
  first = std::max(first, (from + (multisampled ? 0 : kPixelCenter - 1)) >> kSubpixelBits);
  end = std::min(end, (to + (multisampled ? kSubpixels - 1 : kPixelCenter - 1)) >> kSubpixelBits);
}

// Intersection of framebuffer, scissor and, for primitives clipped to the view volume, the viewport.
PixelBounds drawable_pixels(const SetupContext& context, uint32_t viewport) {
  const auto& raster = context.registers.raster;
  const arch::Scissor& scissor = raster.scissor[viewport];
  PixelBounds bounds;
  bounds.x0 = std::max<int64_t>(0, scissor.x), bounds.y0 = std::max<int64_t>(0, scissor.y);
  bounds.x1 = std::min<int64_t>({raster.width, arch::kMaxDimension, int64_t{scissor.x} + scissor.width});
  bounds.y1 = std::min<int64_t>({raster.height, arch::kMaxDimension, int64_t{scissor.y} + scissor.height});
  const bool points = static_cast<arch::PolygonMode>(raster.polygon_mode) == arch::PolygonMode::kPoint;
  if (context.input.vertices == 1 || (context.input.vertices == 3 && points)) return bounds;
  const bool multisampled = raster.samples > 1;
  limit_to_viewport(context.view.offset_x, context.view.scale_x, multisampled, bounds.x0, bounds.x1);
  limit_to_viewport(context.view.offset_y, context.view.scale_y, multisampled, bounds.y0, bounds.y1);
  return bounds;
}

// Limits pixels to those with a sample position within the primitive's own bounds.
void limit_to_primitive(const UnitBounds& units, bool multisampled, PixelBounds& pixels) {
  const int64_t low = multisampled ? 0 : kPixelCenter - 1, high = multisampled ? kSubpixels : kPixelCenter;
  pixels.x0 = std::max(pixels.x0, (units.x0 + low) >> kSubpixelBits);
  pixels.y0 = std::max(pixels.y0, (units.y0 + low) >> kSubpixelBits);
  pixels.x1 = std::min(pixels.x1, (units.x1 + high) >> kSubpixelBits);
  pixels.y1 = std::min(pixels.y1, (units.y1 + high) >> kSubpixelBits);
}

// Distance between neighbouring values of a fixed-point depth format.
double depth_step(const arch::FormatInfo& format) {
  if (format.depth_float || format.depth.bits == 0) return 0;
  return 1.0 / static_cast<double>((uint64_t{1} << format.depth.bits) - 1);
}

bool has_wide_depth(const arch::Registers& registers) {
  return registers.raster.depth_clamp == static_cast<uint32_t>(arch::DepthClamp::kWideRange) &&
         arch::format_info(registers.depth.surface.format).depth_float;
}

float in_unit(float value) { return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f; }

void set_depth_range(const arch::Registers& registers, uint32_t viewport, Primitive& primitive) {
  primitive.depth_quantum = depth_step(arch::format_info(registers.depth.surface.format));
  primitive.depth_min = 0, primitive.depth_max = 1;
  if (registers.raster.depth_clamp == static_cast<uint32_t>(arch::DepthClamp::kUnit)) return;
  const bool wide = has_wide_depth(registers);
  const auto bound = [wide](float value) { return !wide ? in_unit(value) : finite(value) ? value : 0.0f; };
  const float a = bound(registers.raster.depth_range_min[viewport]);
  const float b = bound(registers.raster.depth_range_max[viewport]);
  primitive.depth_min = std::min(a, b), primitive.depth_max = std::max(a, b);
}

// Sets edges, planes and depth by kind of primitive.
SetupResult setup_part(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const auto& raster = context.registers.raster;
  const SetupInput& input = context.input;
  if (setup_parts(context.registers, input.vertices) > 1)
    return setup_polygon_part(context, primitive, bounds);
  if (input.vertices == 1) return setup_point(context, 0, primitive, bounds);
  if (input.vertices == 2) return setup_line(context, input.first & 1, ~input.first & 1, primitive, bounds);
  const SetupResult result = setup_triangle(context, primitive, bounds);
  if (result == SetupResult::kAccepted && raster.depth_bias != 0)
    add_bias(depth_bias(context.registers, primitive), primitive);
  return result;
}

// See Primitive::whole_planes.
bool has_whole_planes(const Primitive& primitive) {
  const auto is_whole = [](double value, double most) {
    constexpr double kMagic = 0x1.8p52;
    return absolute(value) <= most && (value + kMagic) - kMagic == value;
  };
  constexpr double kSlope = 0x1p26, kConstant = 0x1p50;
  bool whole = true;
  for (const Plane& p : primitive.basis)
    whole &= is_whole(p.a, kSlope) && is_whole(p.b, kSlope) && is_whole(p.c, kConstant);
  return whole;
}

}  // namespace

// o = clamp(m × slope + r × constant).
double raster::depth_bias(const arch::Registers& registers, const Primitive& primitive) {
  const auto& raster = registers.raster;
  const arch::FormatInfo& format = arch::format_info(registers.depth.surface.format);
  const Combination& z = primitive.depth;
  const Plane* g = primitive.basis;
  const double per_pixel = primitive.basis_scale * kUnits;
  const double slope_x = absolute((z.k1 * g[0].a + z.k2 * g[1].a) * per_pixel);
  const double slope_y = absolute((z.k1 * g[0].b + z.k2 * g[1].b) * per_pixel);
  double r = 0;
  if (format.depth_float) {
    // 2^(e - 23), e the exponent of the largest depth of the primitive.
    const double most = has_wide_depth(registers) ? 0x1p127 : 1;
    const double largest =
        smaller(larger(absolute(primitive.depth_low), absolute(primitive.depth_high)), most);
    const float rounded = static_cast<float>(larger(largest, 0x1p-100));
    r = std::bit_cast<float>(std::bit_cast<uint32_t>(rounded) & 0x7f800000u) * 0x1p-23;
  } else if (format.depth.bits != 0) {
    r = 1.0 / static_cast<double>(uint64_t{1} << format.depth.bits);
  }
  const auto factor = [](float value) { return finite(value) ? load(value) : 0.0; };
  const double limit = factor(raster.depth_bias_clamp);
  double bias =
      larger(slope_x, slope_y) * factor(raster.depth_bias_slope) + r * factor(raster.depth_bias_constant);
  if (limit > 0) bias = smaller(bias, limit);
  if (limit < 0) bias = larger(bias, limit);
  return bias;
}

SetupResult setup(const arch::Registers& registers, const SetupInput& input, Primitive& primitive) {
  CUTAWAY_CHECK(input.vertices <= 3, "a primitive of {} vertices", input.vertices);
  primitive.line.steps = 0;
  const SetupResult rejected = trivial_reject(registers, input);
  if (rejected != SetupResult::kAccepted) return rejected;
  const uint32_t viewport = input.viewport < arch::kViewports ? input.viewport : 0;
  SetupContext context{registers, input, {}, {}};
  if (!context.view.read(registers.raster.viewport[viewport])) return SetupResult::kNotFinite;
  for (uint32_t v = 0; v < input.vertices; ++v)
    context.vertex[v] = window_vertex(context.view, input.position[v]);

  PixelBounds pixels = drawable_pixels(context, viewport);
  if (pixels.empty()) return SetupResult::kNoPixels;

  // Edges and planes.
  primitive.id = input.primitive_id;
  primitive.vertices = static_cast<uint8_t>(input.vertices);
  primitive.samples = static_cast<uint8_t>(std::clamp(registers.raster.samples, 1u, 8u));
  primitive.edges = 0;
  primitive.front_facing = true;
  primitive.clipped = primitive.whole_pixels = false;
  primitive.line = {};
  UnitBounds bounds{pixels.x0 * kSubpixels, pixels.y0 * kSubpixels, pixels.x1 * kSubpixels,
                    pixels.y1 * kSubpixels};
  const SetupResult result = setup_part(context, primitive, bounds);
  if (result != SetupResult::kAccepted) return result;

  // Pixels.
  limit_to_primitive(bounds, primitive.samples > 1, pixels);
  if (pixels.empty()) return SetupResult::kNoPixels;
  primitive.x0 = static_cast<int32_t>(pixels.x0), primitive.y0 = static_cast<int32_t>(pixels.y0);
  primitive.x1 = static_cast<int32_t>(pixels.x1), primitive.y1 = static_cast<int32_t>(pixels.y1);
  set_depth_range(registers, viewport, primitive);
  primitive.whole_planes = has_whole_planes(primitive);
  return SetupResult::kAccepted;
}

const char* name(SetupResult result) {
  switch (result) {
    case SetupResult::kAccepted:
      return "accepted";
    case SetupResult::kTriviallyRejected:
      return "trivially rejected";
    case SetupResult::kNotFinite:
      return "not finite";
    case SetupResult::kZeroArea:
      return "zero area";
    case SetupResult::kCulledFace:
      return "culled face";
    case SetupResult::kNoPixels:
      return "no pixels";
  }
  return "";
}

}  // namespace cutaway::func
