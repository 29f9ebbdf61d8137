#include "func/texture/sample.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "func/format/numeric.h"
#include "func/texture/cube.h"
#include "func/texture/level_of_detail.h"
#include "func/texture/quad_footprint.h"
#include "isa/operands.h"

namespace cutaway::func {
namespace {

using isa::Opcode;
using isa::TextureDim;

float operand(const QuadOperands& operands, uint32_t source, uint32_t component, uint32_t lane) {
  return bits_float(operands[source][component][lane]);
}

struct DimInfo {
  uint32_t coordinates = 0;  // 0: not supported by this unit
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
    case TextureDim::k2DMultisampleArray:
      return {2, true};
    case TextureDim::kBuffer:
      return {1, false};
    default:
      return {};
  }
}

void set_immediate(TexturePlan& plan, uint32_t lane, uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
  LanePlan& out = plan.lane[lane];
  out.u = x, out.v = y, out.w = z, out.layer = w;
}

// Coordinates after TXP's projection.
struct QuadCoordinates {
  float axis[3][kQuadLanes];  // u, v, w; of a cube the direction; absent ones are 0
};

QuadCoordinates quad_coordinates(const QuadOperands& operands, Opcode op, const DimInfo& dim) {
  QuadCoordinates c;
  for (uint32_t i = 0; i < 3; i++)
    if (i < dim.coordinates) std::memcpy(c.axis[i], operands[0][i], sizeof c.axis[i]);
    else std::memset(c.axis[i], 0, sizeof c.axis[i]);
  if (op != Opcode::kTxp) return c;
  for (uint32_t i = 0; i < dim.coordinates; i++)
    for (uint32_t lane = 0; lane < kQuadLanes; lane++) c.axis[i][lane] /= operand(operands, 0, 3, lane);
  return c;
}

// The reference is divided by q like the coordinates.
float depth_reference(const QuadOperands& operands, Opcode op, const DimInfo& dim, uint32_t lane) {
  if (dim.cube && dim.array) return operand(operands, 1, op == Opcode::kTxd ? 3 : 1, lane);
  if (op == Opcode::kTxp) return operand(operands, 0, 2, lane) / operand(operands, 0, 3, lane);
  return operand(operands, 0, 3, lane);
}

uint32_t anisotropy(const arch::Sampler& sampler) {
  return sampler.unnormalized() ? 1 : std::min(sampler.max_anisotropy, kMaxAnisotropy);
}

struct PixelShape {
  double lod = 0;  // before the bias
  uint32_t probes = 1;
  float du = 0, dv = 0;  // across the longer axis
};

// Offsets in a register are wrapped modulo 256, to -128 to 127.
void add_register_offset(const QuadOperands& operands, uint32_t lane, LanePlan& out) {
  for (uint32_t i = 0; i < 2; i++) out.offset[i] = static_cast<int8_t>(out.offset[i] + operands[1][i][lane]);
}

uint32_t choose_layer(uint32_t layers, float layer) {  // Vulkan: clamp(RNE(a), 0, layers - 1)
  const auto last = static_cast<double>(layers - 1);
  const double clamped = layer > 0 ? (layer < last ? layer : last) : 0;
  return static_cast<uint32_t>(round_even(clamped));
}

// The footprint of a pixel in the texture, from derivatives of the coordinates at a place; only cubes depend
// on the place.
//
// Anisotropic (Vulkan "Texel Anisotropic Filtering"): with ρmax and ρmin the longer and the shorter
// derivative in texels, η = min(ρmax / ρmin, maxAnisotropy) and N = ceil(η), the level of detail is log2(ρmax
// / η), and there are N probes along the longer one. Without minification N is 1. 3D textures are isotropic.
PixelShape pixel_shape(const TextureView& view, const arch::Sampler& sampler, const DimInfo& dim,
                       const float at[3], const float dx[3], const float dy[3]) {
  const arch::LevelLayout& level = view.level[0];
  const double size[3] = {static_cast<double>(level.width), static_cast<double>(level.height),
                          static_cast<double>(level.depth)};
  double change[2][3] = {};
  if (dim.cube) {
    const CubePoint point = cube_point(at);
    cube_gradient(point, dx, change[0]);
    cube_gradient(point, dy, change[1]);
  } else {
    for (uint32_t i = 0; i < dim.coordinates; i++) change[0][i] = dx[i], change[1][i] = dy[i];
  }
  double square[2] = {};
  const uint32_t axes = dim.cube ? 2 : dim.coordinates;
  for (uint32_t direction = 0; direction < 2; direction++)
    for (uint32_t i = 0; i < axes; i++) {
      const double texels = change[direction][i] * size[i];
      square[direction] += texels * texels;
    }
  const uint32_t longer = square[0] > square[1] ? 0 : 1;
  PixelShape shape;
  const bool flat = dim.cube || dim.coordinates < 3;
  if (const uint32_t most = anisotropy(sampler); most > 1 && flat && square[longer] > 1) {
    const double limit = most * most, shorter = square[1 - longer];
    const double ratio = square[longer] < shorter * limit ? square[longer] / shorter : limit;  // η²
    while (shape.probes * shape.probes < ratio) shape.probes++;
    shape.lod = 0.5 * lod_log2(square[longer] / ratio);
    shape.du = static_cast<float>(change[longer][0]);
    shape.dv = static_cast<float>(change[longer][1]);
    return shape;
  }
  shape.lod = 0.5 * lod_log2(square[longer]);
  return shape;
}

PixelShape implicit_shape(const TextureView& view, const arch::Sampler& sampler, const DimInfo& dim,
                          const QuadCoordinates& c) {
  float at[3], dx[3], dy[3];
  for (uint32_t i = 0; i < 3; i++) {
    at[i] = c.axis[i][0];
    dx[i] = c.axis[i][1] - c.axis[i][0];
    dy[i] = c.axis[i][2] - c.axis[i][0];
  }
  return pixel_shape(view, sampler, dim, at, dx, dy);
}

PixelShape explicit_shape(const TextureView& view, const arch::Sampler& sampler, const DimInfo& dim,
                          const QuadOperands& operands, uint32_t lane) {
  float value[3][3];  // coordinates, d/dx, d/dy
  for (uint32_t source = 0; source < 3; source++)
    for (uint32_t i = 0; i < 3; i++) value[source][i] = operand(operands, source, i, lane);
  return pixel_shape(view, sampler, dim, value[0], value[1], value[2]);
}

// λ' of a lane: the base level of detail plus the biases.
double lane_lod(const arch::Sampler& sampler, const QuadOperands& operands, Opcode op, double base,
                uint32_t lane) {
  double lod = base, bias = sampler.lod_bias;
  if (op == Opcode::kTxb) bias += operand(operands, 1, 0, lane);
  if (op == Opcode::kTxl) lod = operand(operands, 1, 0, lane);
  if (bias > kMaxLodBias) bias = kMaxLodBias;
  if (!(bias >= -kMaxLodBias)) bias = bias == bias ? -kMaxLodBias : 0;
  return lod + bias;
}

// The levels, the filter and the probes of a lane's samples.
struct SampleChoice {
  bool linear = false;
  LevelChoice level;
  PixelShape shape;  // only its probes
};

bool filters(const TextureView& view, uint32_t filter) {
  return filter == static_cast<uint32_t>(arch::Filter::kLinear) && !view.format->is_integer();
}

SampleChoice choose_samples(const TextureView& view, const arch::Sampler& sampler, const PixelShape& shape,
                            double lod) {
  lod = clamp_lod(sampler, lod);
  SampleChoice choice{filters(view, lod > 0 ? sampler.min_filter : sampler.mag_filter),
                      choose_level(sampler, lod, view.levels),
                      {}};
  if (view.format->is_integer()) choice.level.fraction = 0;
  if (choice.linear) choice.shape = shape;
  return choice;
}

void set_samples(const SampleChoice& choice, uint32_t dimensions, LanePlan& out) {
  out.linear = choice.linear;
  out.level = choice.level.level;
  out.level_fraction = choice.level.fraction;
  out.probes = static_cast<uint8_t>(choice.shape.probes);
  out.du = choice.shape.du, out.dv = choice.shape.dv;
  const uint32_t slices = dimensions == 3 && out.linear ? 2 : 1;  // TexturePlan::slices
  out.samples = static_cast<uint8_t>((out.level_fraction ? 2 : 1) * out.probes * slices);
}

// Sets the place of a lane: coordinates and layer.
void set_place(const TextureView& view, const DimInfo& dim, const QuadOperands& operands,
               const QuadCoordinates& c, uint32_t lane, LanePlan& out) {
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
}

void plan_filtered(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access,
                   const DimInfo& dim, Opcode op, const QuadOperands& operands, TexturePlan& plan) {
  const QuadCoordinates c = quad_coordinates(operands, op, dim);
  plan.kind = TexturePlan::Kind::kFiltered;
  plan.texel_coordinates = sampler.unnormalized();
  plan.gather = op == Opcode::kTxg;
  plan.component = access.gather;
  if (access.shadow) plan.compare = static_cast<uint8_t>(std::min(sampler.compare, 255u));
  // With one level, one filter and one probe, the result does not depend on the derivatives.
  const bool needs_shape =
      !plan.texel_coordinates && !plan.gather &&
      (sampler.mag_filter != sampler.min_filter || anisotropy(sampler) > 1 ||
       (view.levels > 1 && sampler.mip_mode != static_cast<uint32_t>(arch::MipMode::kBase)));
  const bool implicit = op == Opcode::kTex || op == Opcode::kTxp || op == Opcode::kTxb;
  // Else each lane chooses its own samples.
  const bool alike = !needs_shape || (implicit && op != Opcode::kTxb);
  PixelShape shape;
  if (needs_shape && implicit) shape = implicit_shape(view, sampler, dim, c);
  SampleChoice choice;
  if (!needs_shape) choice.linear = plan.gather || filters(view, sampler.mag_filter);
  else if (alike)
    choice = choose_samples(view, sampler, shape, lane_lod(sampler, operands, op, shape.lod, 0));
  LanePlan common;
  common.offset = access.offset;
  if (alike) set_samples(choice, plan.dimensions, common);
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    LanePlan& out = plan.lane[lane];
    out = common;
    set_place(view, dim, operands, c, lane, out);
    if (plan.compare) out.reference = depth_reference(operands, op, dim, lane);
    if (plan.gather && !dim.cube) add_register_offset(operands, lane, out);
    if (!alike) {
      if (op == Opcode::kTxd) shape = explicit_shape(view, sampler, dim, operands, lane);
      choice = choose_samples(view, sampler, shape, lane_lod(sampler, operands, op, shape.lod, lane));
      set_samples(choice, plan.dimensions, out);
    }
  }
  plan.by_quad = alike && choice.linear && dim.coordinates == 2 && !dim.array && !plan.gather &&
                 plan.lane_mask != 0 && fits_quads(view);
}

constexpr uint32_t kOutside = 0x80000000;  // outside any level, whatever the offset

// TXF: integer coordinates; outside the level, the layers or the samples the texel is zero (Vulkan
// "robustImageAccess").
void plan_fetch(const TextureView& view, const isa::Access& access, const DimInfo& dim,
                const QuadOperands& operands, TexturePlan& plan) {
  plan.kind = TexturePlan::Kind::kFetch;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    LanePlan& out = plan.lane[lane];
    out.offset = access.offset;
    const auto integer = [&](uint32_t source, uint32_t component) {
      return operands[source][component][lane];
    };
    const bool multisample =
        access.dim == TextureDim::k2DMultisample || access.dim == TextureDim::k2DMultisampleArray;
    const bool leveled = access.dim != TextureDim::kBuffer && !multisample;
    const uint32_t level = leveled ? integer(1, 0) : 0;
    const uint32_t layer = dim.array ? integer(0, dim.coordinates) : 0;
    const uint32_t sample = multisample ? integer(1, 1) : 0;
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

void plan_query(const TextureView& view, const arch::Sampler& sampler, const DimInfo& dim, Opcode op,
                const QuadOperands& operands, TexturePlan& plan) {
  PixelShape shape;
  if (op == Opcode::kTxqlod) shape = implicit_shape(view, sampler, dim, quad_coordinates(operands, op, dim));
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    if (op == Opcode::kTxqs) {
      set_immediate(plan, lane, view.surface.samples(), 0, 0, 0);
    } else if (op == Opcode::kTxqlod) {
      const double lod = lane_lod(sampler, operands, Opcode::kTex, shape.lod, lane);
      const LevelChoice choice = choose_level(sampler, clamp_lod(sampler, lod), view.levels);
      const float level = static_cast<float>(choice.level) + static_cast<float>(choice.fraction) / 256;
      set_immediate(plan, lane, float_bits(level), float_bits(static_cast<float>(lod)), 0, 0);
    } else {
      const uint32_t level = operands[0][0][lane];
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

}  // namespace

void plan_texture(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access, Opcode op,
                  const QuadOperands& operands, uint32_t lane_mask, TexturePlan& plan) {
  plan = TexturePlan{};
  const DimInfo dim = dim_info(access.dim);
  const bool fetch = op == Opcode::kTxf;
  CUTAWAY_CHECK(isa::info(op).op_class == isa::OpClass::kTexture && dim.coordinates && !(fetch && dim.cube));
  plan.lane_mask = lane_mask & 15;
  if (!view.valid) return;
  if (view.levels == 0) {  // a raw buffer only has a size
    for (uint32_t lane = 0; lane < kQuadLanes && op == Opcode::kTxq; lane++)
      if (plan.lane_mask >> lane & 1) set_immediate(plan, lane, view.surface.width, 0, 0, 0);
    return;
  }
  if (dim.cube && (view.layers < kCubeFaces || view.level[0].width != view.level[0].height)) return;
  plan.dimensions = static_cast<uint8_t>(dim.cube ? 2 : dim.coordinates);
  plan.seamless = dim.cube && !sampler.separate_faces();
  if (!isa::reads_texels(op)) plan_query(view, sampler, dim, op, operands, plan);
  else if (fetch) plan_fetch(view, access, dim, operands, plan);
  else plan_filtered(view, sampler, access, dim, op, operands, plan);
}

}  // namespace cutaway::func
