#include "func/texture/sample.h"

#include <algorithm>
#include <bit>

#include "func/format/numeric.h"
#include "func/texture/cube.h"
#include "func/texture/level_of_detail.h"
#include "func/texture/wrap.h"

namespace cutaway::func {
namespace {

using isa::Opcode;
using isa::TextureDim;

constexpr double kMostTexels = 1099511627776.0;  // 2^40: coordinates beyond are clamped

float operand(const QuadOperands& operands, uint32_t source, uint32_t component, uint32_t lane) {
  return bits_float(operands.source[source][component][lane]);
}

struct DimInfo {
  uint32_t coordinates = 0;  // 0: this unit cannot
  bool array = false;
  bool cube = false;
};

DimInfo dim_info(TextureDim dim) {
  switch (dim) {
    case TextureDim::k1D:
      return {1, false};
    case TextureDim::k1DArray:
      return {1, true};
    case TextureDim::k2D:
      return {2, false};
    case TextureDim::k2DArray:
      return {2, true};
    case TextureDim::k3D:
      return {3, false, false};
    case TextureDim::kCube:
      return {3, false, true};
    case TextureDim::kCubeArray:
      return {3, true, true};
    case TextureDim::k2DMultisample:
      return {2, false};
    case TextureDim::kBuffer:
      return {1, false};
    default:
      return {};
  }
}

void set_immediate(TexturePlan& plan, uint32_t lane, uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
  const uint32_t value[4] = {x, y, z, w};
  for (uint32_t c = 0; c < 4; c++) plan.immediate.value[c][lane] = value[c];
}

// Coordinates after the projection of TXP.
struct QuadCoordinates {
  float axis[3][kQuadLanes];  // u, v, w; of a cube the direction
};

QuadCoordinates quad_coordinates(const QuadOperands& operands, Opcode op, const DimInfo& dim) {
  QuadCoordinates c;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    const float q = op == Opcode::kTxp ? operand(operands, 0, 3, lane) : 1;
    for (uint32_t i = 0; i < 3; i++)
      c.axis[i][lane] = i < dim.coordinates ? operand(operands, 0, i, lane) / q : 0;
  }
  return c;
}

// The reference is divided by q as the coordinates are.
float depth_reference(const QuadOperands& operands, Opcode op, const DimInfo& dim, uint32_t lane) {
  if (dim.cube && dim.array) return operand(operands, 1, 1, lane);
  if (op == Opcode::kTxp) return operand(operands, 0, 2, lane) / operand(operands, 0, 3, lane);
  return operand(operands, 0, 3, lane);
}

uint32_t choose_layer(uint32_t layers, float layer) {  // Vulkan: clamp(RNE(a), 0, layers - 1)
  const auto last = static_cast<double>(layers - 1);
  const double clamped = layer > 0 ? (layer < last ? layer : last) : 0;
  return static_cast<uint32_t>(round_even(clamped));
}

// From derivatives of the coordinates at a place; only a cube looks at the place.
double lod_at(const TextureView& view, const DimInfo& dim, const float at[3], const float dx[3],
              const float dy[3]) {
  const arch::LevelLayout& level = view.level[0];
  const double size[3] = {static_cast<double>(level.width), static_cast<double>(level.height),
                          static_cast<double>(level.depth)};
  double texels[2][3] = {};
  if (dim.cube) {
    const CubePoint point = cube_point(at);
    cube_gradient(point, dx, texels[0]);
    cube_gradient(point, dy, texels[1]);
  } else {
    for (uint32_t i = 0; i < dim.coordinates; i++) texels[0][i] = dx[i], texels[1][i] = dy[i];
  }
  for (auto& direction : texels)
    for (uint32_t i = 0; i < 3; i++) direction[i] *= size[i];
  return lod_of_gradients(texels[0], texels[1]);
}

double implicit_lod(const TextureView& view, const DimInfo& dim, const QuadCoordinates& c) {
  float at[3], dx[3], dy[3];
  for (uint32_t i = 0; i < 3; i++) {
    at[i] = c.axis[i][0];
    dx[i] = c.axis[i][1] - c.axis[i][0];
    dy[i] = c.axis[i][2] - c.axis[i][0];
  }
  return lod_at(view, dim, at, dx, dy);
}

// λ' of a lane: the base level of detail and the biases.
double lane_lod(const TextureView& view, const arch::Sampler& sampler, const QuadOperands& operands,
                Opcode op, const DimInfo& dim, double implicit, uint32_t lane) {
  double lod = implicit, bias = sampler.lod_bias;
  if (op == Opcode::kTxb) bias += operand(operands, 1, 0, lane);
  if (op == Opcode::kTxl) lod = operand(operands, 1, 0, lane);
  if (op == Opcode::kTxd) {
    float value[3][3];  // coordinates, d/dx, d/dy
    for (uint32_t source = 0; source < 3; source++)
      for (uint32_t i = 0; i < 3; i++) value[source][i] = operand(operands, source, i, lane);
    lod = lod_at(view, dim, value[0], value[1], value[2]);
  }
  if (bias > kMaxLodBias) bias = kMaxLodBias;
  if (!(bias >= -kMaxLodBias)) bias = bias == bias ? -kMaxLodBias : 0;
  return lod + bias;
}

void plan_filtered(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access,
                   Opcode op, const QuadOperands& operands, TexturePlan& plan) {
  const DimInfo dim = dim_info(access.dim);
  const QuadCoordinates c = quad_coordinates(operands, op, dim);
  plan.kind = TexturePlan::Kind::kFiltered;
  plan.texel_coordinates = sampler.unnormalized != 0;
  if (access.shadow) plan.compare = static_cast<uint8_t>(std::min(sampler.compare, 255u));
  // Nothing depends on the level of detail where one level and one filter are all there is.
  const bool needs_lod =
      !plan.texel_coordinates &&
      (sampler.mag_filter != sampler.min_filter ||
       (view.levels > 1 && sampler.mip_mode != static_cast<uint32_t>(arch::MipMode::kBase)));
  const bool implicit = op == Opcode::kTex || op == Opcode::kTxp || op == Opcode::kTxb;
  const double quad_lod = needs_lod && implicit ? implicit_lod(view, dim, c) : 0;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    LanePlan& out = plan.lane[lane];
    float at[3] = {c.axis[0][lane], c.axis[1][lane], c.axis[2][lane]};
    const uint32_t faces = dim.cube ? kCubeFaces : 1;
    if (dim.array)
      out.layer = faces * choose_layer(view.layers / faces, operand(operands, 0, dim.coordinates, lane));
    if (dim.cube) {
      const CubePoint point = cube_point(at);
      out.layer += point.face;
      at[0] = point.s(), at[1] = point.t();
    }
    out.u = float_bits(at[0]);
    out.v = float_bits(at[1]);
    out.w = float_bits(at[2]);
    if (plan.compare) out.reference = depth_reference(operands, op, dim, lane);
    uint32_t filter = sampler.mag_filter;
    LevelChoice choice;
    if (needs_lod) {
      const double lod = clamp_lod(sampler, lane_lod(view, sampler, operands, op, dim, quad_lod, lane));
      if (lod > 0) filter = sampler.min_filter;
      choice = choose_level(sampler, lod, view.levels);
    }
    out.linear = filter == static_cast<uint32_t>(arch::Filter::kLinear) && !view.format->is_integer();
    out.level = choice.level;
    out.level_fraction = view.format->is_integer() ? 0 : choice.fraction;
    out.samples = static_cast<uint8_t>((out.level_fraction ? 2 : 1) * plan.slices(lane));
  }
}

constexpr uint32_t kOutside = 0x80000000;  // of any level, whatever the offset

// TXF: integer coordinates; outside of the level, the layers or the samples the texel is zero (Vulkan
// "robustImageAccess").
void plan_fetch(const TextureView& view, const isa::Access& access, const QuadOperands& operands,
                TexturePlan& plan) {
  const DimInfo dim = dim_info(access.dim);
  plan.kind = TexturePlan::Kind::kFetch;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    LanePlan& out = plan.lane[lane];
    const auto integer = [&](uint32_t source, uint32_t component) {
      return operands.source[source][component][lane];
    };
    const bool leveled = access.dim != TextureDim::kBuffer && access.dim != TextureDim::k2DMultisample;
    const uint32_t level = leveled ? integer(1, 0) : 0;
    const uint32_t layer = dim.array ? integer(0, dim.coordinates) : 0;
    const uint32_t sample = access.dim == TextureDim::k2DMultisample ? integer(1, 1) : 0;
    out.samples = 1;
    out.u = integer(0, 0);
    out.v = dim.coordinates > 1 ? integer(0, 1) : 0;
    out.w = dim.coordinates > 2 ? integer(0, 2) : 0;
    if (level >= view.levels || layer >= view.layers || sample >= view.surface.samples()) {
      out.u = kOutside;
      continue;
    }
    out.level = static_cast<uint8_t>(level);
    out.layer = layer;
    out.sample_index = static_cast<uint8_t>(sample);
  }
}

void plan_query(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access, Opcode op,
                const QuadOperands& operands, TexturePlan& plan) {
  const DimInfo dim = dim_info(access.dim);
  double quad_lod = 0;
  if (op == Opcode::kTxqlod) quad_lod = implicit_lod(view, dim, quad_coordinates(operands, op, dim));
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    if (op == Opcode::kTxqs) {
      set_immediate(plan, lane, view.surface.samples(), 0, 0, 0);
    } else if (op == Opcode::kTxqlod) {
      const double lod = lane_lod(view, sampler, operands, Opcode::kTex, dim, quad_lod, lane);
      const LevelChoice choice = choose_level(sampler, clamp_lod(sampler, lod), view.levels);
      const float level = static_cast<float>(choice.level) + static_cast<float>(choice.fraction) / 256;
      set_immediate(plan, lane, float_bits(level), float_bits(static_cast<float>(lod)), 0, 0);
    } else {
      const uint32_t level = operands.source[0][0][lane];
      if (level >= view.levels) continue;
      const arch::LevelLayout& size = view.level[level];
      const uint32_t height = dim.coordinates > 1 ? size.height : 0;
      const uint32_t third = dim.array                           ? view.layers / (dim.cube ? kCubeFaces : 1)
                             : dim.coordinates == 3 && !dim.cube ? size.depth
                                                                 : 0;
      set_immediate(plan, lane, size.width, height, third, view.levels);
    }
  }
}

bool is_filtered(Opcode op) {
  return op == Opcode::kTex || op == Opcode::kTxp || op == Opcode::kTxb || op == Opcode::kTxl ||
         op == Opcode::kTxd;
}

}  // namespace

TextureStatus plan_texture(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access,
                           Opcode op, const QuadOperands& operands, uint32_t lane_mask, TexturePlan& plan) {
  plan = TexturePlan{};
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) set_immediate(plan, lane, 0, 0, 0, 0);
  const DimInfo dim = dim_info(access.dim);
  const bool query = op == Opcode::kTxq || op == Opcode::kTxqlod || op == Opcode::kTxqs;
  if (!(is_filtered(op) || query || op == Opcode::kTxf) || dim.coordinates == 0 ||
      (op == Opcode::kTxf && dim.cube))
    return TextureStatus::kUnsupported;
  plan.lane_mask = lane_mask & 15;
  if (!view.valid) return TextureStatus::kOk;
  if (view.levels == 0) {  // a raw buffer has nothing but its size
    for (uint32_t lane = 0; lane < kQuadLanes && op == Opcode::kTxq; lane++)
      if (plan.lane_mask >> lane & 1) set_immediate(plan, lane, view.surface.width, 0, 0, 0);
    return TextureStatus::kOk;
  }
  if (dim.cube && (view.layers < kCubeFaces || view.level[0].width != view.level[0].height))
    return TextureStatus::kOk;
  plan.offset = access.offset;
  plan.dimensions = static_cast<uint8_t>(dim.cube ? 2 : dim.coordinates);
  plan.cube = dim.cube;
  if (query) plan_query(view, sampler, access, op, operands, plan);
  else if (op == Opcode::kTxf) plan_fetch(view, access, operands, plan);
  else plan_filtered(view, sampler, access, op, operands, plan);
  return TextureStatus::kOk;
}

namespace {

double texel_coordinate(float coordinate, uint32_t size, bool texel_coordinates) {
  const float product = texel_coordinates ? coordinate : coordinate * static_cast<float>(size);
  if (product != product) return 0;
  return std::clamp<double>(product, -kMostTexels, kMostTexels);
}

struct AxisTexels {
  int64_t texel[2];  // or kBorderTexel
  uint8_t fraction;
};

AxisTexels filtered_axis(uint32_t coordinate, uint32_t size, const TexturePlan& plan, bool linear,
                         uint32_t wrap, int offset) {
  const double position = texel_coordinate(bits_float(coordinate), size, plan.texel_coordinates);
  AxisTexels axis{};
  if (!linear) {
    axis.texel[0] = axis.texel[1] = wrap_texel(wrap, floor_to_int(position) + offset, size);
    return axis;
  }
  const int64_t fixed = floor_to_int(position * 256 + 0.5) - 128;  // the texel centers are at 1/2
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

// Four texels about a point of a cube's face; the lane's layer says which face and cube.
Footprint cube_footprint(const TextureView& view, const LanePlan& from, uint32_t level) {
  const uint32_t size = view.level[level].width, face = from.layer % kCubeFaces;
  const auto fixed = [&](uint32_t coordinate) {  // as in filtered_axis
    const double position = texel_coordinate(bits_float(coordinate), size, false);
    return floor_to_int(std::clamp<double>(position, 0, size) * 256 + 0.5) - 128;
  };
  const int64_t u = fixed(from.u), v = fixed(from.v);
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
    footprint.location[i] = view.slice_address(level, from.layer - face + texel.face) +
                            view.column_offset(texel.x) + view.row_offset(level, texel.y);
  }
  return footprint;
}

}  // namespace

Footprint texture_footprint(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                            uint32_t lane, uint32_t k) {
  const LanePlan& from = plan.lane[lane];
  const uint32_t slices = plan.slices(lane);
  const uint32_t level = from.level + k / slices;
  if (plan.cube && from.linear) return cube_footprint(view, from, level);
  const arch::LevelLayout& size = view.level[level];
  const uint32_t extent[3] = {size.width, size.height, size.depth};
  const uint32_t coordinate[3] = {from.u, from.v, from.w};
  // A point on a cube's face is never outside but by rounding.
  const uint32_t edge = static_cast<uint32_t>(arch::Wrap::kClampToEdge);
  const uint32_t wrap[3] = {plan.cube ? edge : sampler.wrap_u, plan.cube ? edge : sampler.wrap_v,
                            sampler.wrap_w};
  AxisTexels axis[3] = {};
  for (uint32_t i = 0; i < plan.dimensions; i++)
    axis[i] = plan.kind == TexturePlan::Kind::kFetch
                  ? fetched_axis(coordinate[i], extent[i], plan.offset[i])
                  : filtered_axis(coordinate[i], extent[i], plan, from.linear, wrap[i], plan.offset[i]);
  Footprint footprint;
  footprint.texels = from.linear ? 4 : 1;
  footprint.fraction_u = axis[0].fraction;
  footprint.fraction_v = axis[1].fraction;
  footprint.fraction_w = axis[2].fraction;
  const int64_t slice = axis[2].texel[k % slices];
  if (slice == kBorderTexel) footprint.border = 15;
  arch::Address base = view.slice_address(level, from.layer) + view.sample_offset(from.sample_index);
  if (slice > 0) base += static_cast<uint64_t>(slice) * size.slice_pitch;
  uint64_t column[2] = {}, row[2] = {};
  for (int i = 0; i < 2; i++) {
    if (axis[0].texel[i] == kBorderTexel) footprint.border |= 5 << i;
    else column[i] = view.column_offset(static_cast<uint32_t>(axis[0].texel[i]));
    if (axis[1].texel[i] == kBorderTexel) footprint.border |= 3 << (2 * i);
    else row[i] = view.row_offset(level, static_cast<uint32_t>(axis[1].texel[i]));
  }
  for (uint32_t i = 0; i < footprint.texels; i++) footprint.location[i] = base + column[i & 1] + row[i >> 1];
  return footprint;
}

}  // namespace cutaway::func
