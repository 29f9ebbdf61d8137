#include <algorithm>

#include "func/format/numeric.h"
#include "func/texture/cube.h"
#include "func/texture/sample.h"
#include "func/texture/wrap.h"

// Finds the texels of one bilinear sample.
namespace cutaway::func {
namespace {

constexpr double kMostTexels = 1099511627776.0;  // 2^40: larger coordinates are clamped

double texel_coordinate(float coordinate, uint32_t size, bool texel_coordinates) {
  const float product = texel_coordinates ? coordinate : coordinate * static_cast<float>(size);
  if (product != product) return 0;
  return std::clamp<double>(product, -kMostTexels, kMostTexels);
}

// A position in texels as the first of the two that a linear filter reads, in 1/256: their centers are at
// 1/2.
int64_t fixed_texel(double position) { return floor_to_int(position * 256 + 0.5) - 128; }

struct AxisTexels {
  int64_t texel[2];  // or kBorderTexel
  uint8_t fraction;
};

AxisTexels filtered_axis(float coordinate, uint32_t size, const TexturePlan& plan, bool linear, uint32_t wrap,
                         int offset) {
  const double position = texel_coordinate(coordinate, size, plan.texel_coordinates);
  AxisTexels axis{};
  if (!linear) {
    axis.texel[0] = axis.texel[1] = wrap_texel(wrap, floor_to_int(position) + offset, size);
    return axis;
  }
  const int64_t fixed = fixed_texel(position);
  const int64_t first = (fixed >> 8) + offset;
  axis.texel[0] = wrap_texel(wrap, first, size);
  axis.texel[1] = wrap_texel(wrap, first + 1, size);
  axis.fraction = static_cast<uint8_t>(fixed & 255);
  return axis;
}

AxisTexels fetched_axis(uint32_t coordinate, uint32_t size, int offset) {
  const int64_t texel = int64_t{static_cast<int32_t>(coordinate)} + offset;
  const int64_t checked = texel >= 0 && texel < size ? texel : kBorderTexel;
  return {{checked, checked}, 0};
}

struct Coordinates {
  float u, v, w;
};

// Probe i of N lies at fraction (i + 1) / (N + 1) of the pixel's longer axis, whose middle is the lane's
// coordinate (Vulkan "Texel Anisotropic Filtering").
Coordinates probe_coordinates(const LanePlan& from, uint32_t probe) {
  Coordinates place{bits_float(from.u), bits_float(from.v), bits_float(from.w)};
  if (from.probes == 1) return place;
  const float along = static_cast<float>(probe + 1) / static_cast<float>(from.probes + 1) - 0.5f;
  place.u += along * from.du;
  place.v += along * from.dv;
  return place;
}

// Texel i of a footprint: a column and a row of a slice.
void locate(const TextureView& view, uint32_t i, arch::Address slice, uint32_t level, uint32_t x, uint32_t y,
            Footprint& footprint) {
  footprint.location[i] = slice + view.column_offset(x) + view.row_offset(level, y);
  if (view.block_format) footprint.in_block[i] = static_cast<uint8_t>((y & 3) * 4 + (x & 3));
}

// Four texels around a point of a cube's face; the lane's layer gives face and cube. Probes beyond the face's
// edge are clamped to the edge.
Footprint cube_footprint(const TextureView& view, const LanePlan& from, const Coordinates& place,
                         uint32_t level) {
  const uint32_t size = view.level[level].width, face = from.layer % kCubeFaces;
  const auto fixed = [&](float coordinate) {  // as in filtered_axis
    const double position = texel_coordinate(coordinate, size, false);
    return fixed_texel(std::clamp<double>(position, 0, size));
  };
  const int64_t u = fixed(place.u), v = fixed(place.v);
  Footprint footprint;
  footprint.texels = 4;
  footprint.fraction_u = static_cast<uint8_t>(u & 255);
  footprint.fraction_v = static_cast<uint8_t>(v & 255);
  for (uint8_t i = 0; i < 4; i++) {
    const CubeTexel texel = cube_texel(face, (u >> 8) + (i & 1), (v >> 8) + (i >> 1), size);
    if (texel.missing) {
      footprint.missing = i;
      footprint.border |= 1 << i;
      continue;
    }
    locate(view, i, view.slice_address(level, from.layer - face + texel.face), level, texel.x, texel.y,
           footprint);
  }
  return footprint;
}

// Two texels next to each other: `first` and the one after it. Within the level no wrapping mode matters.
void wrap_pair(uint32_t wrap, int64_t first, uint32_t size, int64_t texel[2]) {
  const bool inside = first >= 0 && first + 1 < size;
  texel[0] = inside ? first : wrap_texel(wrap, first, size);
  texel[1] = inside ? first + 1 : wrap_texel(wrap, first + 1, size);
}

// Locates the texels in columns x and rows y of the plane that begins at `base`.
void locate_plane(const TextureView& view, uint32_t level, arch::Address base, const int64_t x[2],
                  const int64_t y[2], Footprint& footprint) {
  uint64_t column[2] = {}, row[2] = {};
  uint32_t border = 0;
  for (int i = 0; i < 2; i++) {
    if (x[i] == kBorderTexel) border |= 5u << i;
    else column[i] = view.column_offset(static_cast<uint32_t>(x[i]));
    if (y[i] == kBorderTexel) border |= 3u << (2 * i);
    else row[i] = view.row_offset(level, static_cast<uint32_t>(y[i]));
  }
  footprint.border |= static_cast<uint8_t>(border);
  for (uint32_t i = 0; i < footprint.texels; i++) footprint.location[i] = base + column[i & 1] + row[i >> 1];
  if (!view.block_format) return;
  for (uint32_t i = 0; i < footprint.texels; i++)
    footprint.in_block[i] = static_cast<uint8_t>((y[i >> 1] & 3) * 4 + (x[i & 1] & 3));
}

// Two by two texels of a plane: the most frequent footprint.
Footprint plane_footprint(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                          const LanePlan& from, const Coordinates& place, uint32_t level) {
  const arch::LevelLayout& size = view.level[level];
  const int64_t u = fixed_texel(texel_coordinate(place.u, size.width, plan.texel_coordinates));
  const int64_t v = fixed_texel(texel_coordinate(place.v, size.height, plan.texel_coordinates));
  int64_t x[2], y[2];
  wrap_pair(sampler.wrap_u, (u >> 8) + from.offset[0], size.width, x);
  wrap_pair(sampler.wrap_v, (v >> 8) + from.offset[1], size.height, y);
  Footprint footprint;
  footprint.texels = 4;
  footprint.fraction_u = static_cast<uint8_t>(u & 255);
  footprint.fraction_v = static_cast<uint8_t>(v & 255);
  locate_plane(view, level, view.slice_address(level, from.layer), x, y, footprint);
  return footprint;
}

}  // namespace

Footprint texture_footprint(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                            uint32_t lane, uint32_t k) {
  const LanePlan& from = plan.lane[lane];
  const uint32_t slices = plan.slices(lane);
  const uint32_t per_level = slices * from.probes;
  const uint32_t level = from.level + (per_level == 1 ? k : k / per_level);
  const Coordinates place = probe_coordinates(from, per_level == 1 ? 0 : k / slices % from.probes);
  if (plan.seamless && from.linear) return cube_footprint(view, from, place, level);
  if (plan.kind == TexturePlan::Kind::kFiltered && plan.dimensions == 2 && from.linear && !plan.seamless)
    return plane_footprint(view, sampler, plan, from, place, level);
  const arch::LevelLayout& size = view.level[level];
  const uint32_t extent[3] = {size.width, size.height, size.depth};
  const uint32_t integer[3] = {from.u, from.v, from.w};
  const float coordinate[3] = {place.u, place.v, place.w};
  // Only rounding can move a point outside its face.
  const uint32_t edge = static_cast<uint32_t>(arch::Wrap::kClampToEdge);
  const uint32_t wrap[3] = {plan.seamless ? edge : sampler.wrap_u, plan.seamless ? edge : sampler.wrap_v,
                            sampler.wrap_w};
  AxisTexels axis[3] = {};
  for (uint32_t i = 0; i < plan.dimensions; i++)
    axis[i] = plan.kind == TexturePlan::Kind::kFetch
                  ? fetched_axis(integer[i], extent[i], from.offset[i])
                  : filtered_axis(coordinate[i], extent[i], plan, from.linear, wrap[i], from.offset[i]);
  Footprint footprint;
  footprint.texels = from.linear ? 4 : 1;
  footprint.fraction_u = axis[0].fraction;
  footprint.fraction_v = axis[1].fraction;
  footprint.fraction_w = axis[2].fraction;
  const int64_t slice = axis[2].texel[k % slices];
  if (slice == kBorderTexel) footprint.border = 15;
  arch::Address base = view.slice_address(level, from.layer) + view.sample_offset(from.sample_index);
  if (slice > 0) base += static_cast<uint64_t>(slice) * size.slice_pitch;
  locate_plane(view, level, base, axis[0].texel, axis[1].texel, footprint);
  return footprint;
}

}  // namespace cutaway::func
