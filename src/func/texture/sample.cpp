#include "func/texture/sample.h"

#include <algorithm>
#include <bit>

#include "func/format/numeric.h"
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
  float u[kQuadLanes], v[kQuadLanes];
};

QuadCoordinates quad_coordinates(const QuadOperands& operands, Opcode op, const DimInfo& dim) {
  QuadCoordinates c;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    c.u[lane] = operand(operands, 0, 0, lane);
    c.v[lane] = dim.coordinates > 1 ? operand(operands, 0, 1, lane) : 0;
    if (op == Opcode::kTxp) {
      const float q = operand(operands, 0, 3, lane);
      c.u[lane] /= q;
      c.v[lane] /= q;
    }
  }
  return c;
}

// The reference is divided by q as the coordinates are.
float depth_reference(const QuadOperands& operands, Opcode op, uint32_t lane) {
  if (op == Opcode::kTxp) return operand(operands, 0, 2, lane) / operand(operands, 0, 3, lane);
  return operand(operands, 0, 3, lane);
}

uint32_t choose_layer(const TextureView& view, float layer) {  // Vulkan: clamp(RNE(a), 0, layers - 1)
  const auto last = static_cast<double>(view.layers - 1);
  const double clamped = layer > 0 ? (layer < last ? layer : last) : 0;
  return static_cast<uint32_t>(round_even(clamped));
}

double implicit_lod(const TextureView& view, const QuadCoordinates& c) {
  const double width = view.level[0].width, height = view.level[0].height;
  return lod_of_gradients((c.u[1] - c.u[0]) * width, (c.v[1] - c.v[0]) * height, (c.u[2] - c.u[0]) * width,
                          (c.v[2] - c.v[0]) * height);
}

// λ' of a lane: the base level of detail and the biases.
double lane_lod(const TextureView& view, const arch::Sampler& sampler, const QuadOperands& operands,
                Opcode op, const DimInfo& dim, double implicit, uint32_t lane) {
  double lod = implicit, bias = sampler.lod_bias;
  if (op == Opcode::kTxb) bias += operand(operands, 1, 0, lane);
  if (op == Opcode::kTxl) lod = operand(operands, 1, 0, lane);
  if (op == Opcode::kTxd) {
    const double width = view.level[0].width, height = dim.coordinates > 1 ? view.level[0].height : 0;
    lod = lod_of_gradients(operand(operands, 1, 0, lane) * width, operand(operands, 1, 1, lane) * height,
                           operand(operands, 2, 0, lane) * width, operand(operands, 2, 1, lane) * height);
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
  const double quad_lod = needs_lod && implicit ? implicit_lod(view, c) : 0;
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(plan.lane_mask >> lane & 1)) continue;
    LanePlan& out = plan.lane[lane];
    out.u = float_bits(c.u[lane]);
    out.v = float_bits(c.v[lane]);
    if (dim.array) out.layer = choose_layer(view, operand(operands, 0, dim.coordinates, lane));
    if (plan.compare) out.reference = depth_reference(operands, op, lane);
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
    out.samples = out.level_fraction ? 2 : 1;
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
  if (op == Opcode::kTxqlod) quad_lod = implicit_lod(view, quad_coordinates(operands, op, dim));
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
      set_immediate(plan, lane, size.width, height, dim.array ? view.layers : 0, view.levels);
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
  if (!(is_filtered(op) || query || op == Opcode::kTxf) || dim.coordinates == 0)
    return TextureStatus::kUnsupported;
  plan.lane_mask = lane_mask & 15;
  if (!view.valid || view.levels == 0) return TextureStatus::kOk;
  plan.offset = access.offset;
  plan.one_dimensional = dim.coordinates == 1;
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

}  // namespace

Footprint texture_footprint(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                            uint32_t lane, uint32_t k) {
  const LanePlan& from = plan.lane[lane];
  const uint32_t level = from.level + k;
  const arch::LevelLayout& size = view.level[level];
  AxisTexels u{}, v{};
  if (plan.kind == TexturePlan::Kind::kFetch) {
    u = fetched_axis(from.u, size.width, plan.offset[0]);
    if (!plan.one_dimensional) v = fetched_axis(from.v, size.height, plan.offset[1]);
  } else {
    u = filtered_axis(from.u, size.width, plan, from.linear, sampler.wrap_u, plan.offset[0]);
    if (!plan.one_dimensional)
      v = filtered_axis(from.v, size.height, plan, from.linear, sampler.wrap_v, plan.offset[1]);
  }
  Footprint footprint;
  footprint.base = view.slice_address(level, from.layer) + view.sample_offset(from.sample_index);
  footprint.texels = from.linear ? 4 : 1;
  footprint.fraction_u = u.fraction;
  footprint.fraction_v = v.fraction;
  for (int i = 0; i < 2; i++) {
    if (u.texel[i] == kBorderTexel) footprint.border |= 5 << i;
    else footprint.column[i] = view.column_offset(static_cast<uint32_t>(u.texel[i]));
    if (v.texel[i] == kBorderTexel) footprint.border |= 3 << (2 * i);
    else footprint.row[i] = view.row_offset(level, static_cast<uint32_t>(v.texel[i]));
  }
  return footprint;
}

}  // namespace cutaway::func
