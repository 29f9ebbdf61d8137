#include "emulator/quad_inputs.h"

#include <algorithm>
#include <cstring>

#include "command_stream/fragment_input.h"
#include "func/raster/interpolate.h"
#include "func/raster/pulled_interpolant.h"
#include "func/raster/quad_weights.h"

namespace cutaway::emulator {
void QuadInputs::begin(const FragmentDraw& draw, const PrimitiveBatch& batch) {
  draw_ = &draw, batch_ = &batch;
  const auto& inputs = draw.state->fragment().program->inputs;
  centers_.begin(draw, batch);
  special_ = inputs[arch::kInputFragCoord] || inputs[arch::kInputFragment] || inputs[arch::kInputPointCoord];
}

void QuadInputs::fill() {
  const uint32_t first = filled_;
  filled_ = group_.quads;
  if (first == filled_ || (draw_->components.empty() && !special_)) return;
  if (draw_->samples == 1) return fill_at_centers(first, filled_ - first);
  for (uint32_t i = first; i < filled_; i++) fill_at_samples(group_.quad[i], 4 * i);
}

// One sample per pixel: everything is evaluated at its centre.
void QuadInputs::fill_at_centers(uint32_t first, uint32_t quads) {
  const RegionQuad* quad = &group_.quad[first];
  int32_t x[kGroupQuads] = {}, y[kGroupQuads] = {};
  for (uint32_t i = 0; i < quads; i++) x[i] = quad[i].x, y[i] = quad[i].y;
  func::Barycentrics<kLanes> weights;
  const uint32_t lane = 4 * first;
  centers_.fill(*quad->primitive, quad->number, x, y, quads, lane, weights);
  for (uint32_t i = 0; special_ && i < quads; i++)
    fill_special(quad[i], lane + 4 * i, weights.inv_w + 4 * i, {});
}

// Several samples: interpolants are evaluated where they ask for.
void QuadInputs::fill_at_samples(const RegionQuad& quad, uint32_t lane) {
  const func::Primitive& primitive = *quad.primitive;
  const auto at = func::quad_positions(quad.x, quad.y);
  const func::QuadPlaces places = {draw_->samples, draw_->sample_shading, quad.sample, quad.covered};
  const func::QuadWeights weights(primitive, at, places, draw_->locations);
  const uint32_t* value = batch_->values_of(quad.number, *draw_);
  for (const FragmentDraw::Component& c : draw_->components) {
    func::interpolate<4>(c.mode, primitive.vertices, weights.at(c.location), value[0], value[1], value[2],
                         core_.input(c.input, c.component) + lane);
    value += 3;
  }
  fill_special(quad, lane, weights.here().inv_w, places.here());
}

// Fills the components read of inputs that are no interpolants. place: where in its pixel the fragment is
// shaded.
void QuadInputs::fill_special(const RegionQuad& quad, uint32_t lane, const float* inv_w,
                              func::SampleOffset place) {
  const auto& inputs = draw_->state->fragment().program->inputs;
  const command_stream::ShadedPlace at{*quad.primitive, quad.x, quad.y, place, draw_->samples};
  command_stream::QuadInput value;
  const auto put = [&](uint32_t reg) {
    for (uint32_t c = 0; c < 4; c++)
      if (inputs[reg] >> c & 1) std::memcpy(core_.input(reg, c) + lane, value[c], sizeof value[c]);
  };
  if (inputs[arch::kInputFragCoord]) {
    command_stream::frag_coord_input(at, quad.z[0], inv_w, value);
    put(arch::kInputFragCoord);
  }
  if (inputs[arch::kInputFragment]) {
    command_stream::fragment_input(*quad.primitive, quad.sample, quad.covered, value);
    put(arch::kInputFragment);
  }
  if (inputs[arch::kInputPointCoord]) {
    command_stream::point_coord_input(at, value);
    put(arch::kInputPointCoord);
  }
}

void QuadInputs::pull(uint32_t quad, uint32_t interpolant, uint8_t mask, const uint32_t (&offset)[2][4],
                      uint32_t (&out)[4][4]) {
  const RegionQuad& of = group_.quad[quad];
  const func::Primitive& primitive = *of.primitive;
  // Components that no interpolant gives are zeros.
  func::PulledInterpolant wanted{.vertices = primitive.vertices, .mask = 0};
  const uint32_t* values[4] = {};
  const uint32_t* value = batch_->values_of(of.number, *draw_) + 3 * draw_->components.size();
  for (const FragmentDraw::Component& c : draw_->pulled) {
    if (c.input == interpolant && (mask >> c.component & 1)) {
      wanted.mode = c.mode;
      wanted.mask |= static_cast<uint8_t>(1u << c.component);
      values[c.component] = value;
    }
    value += 3;
  }
  func::pull_interpolant(
      primitive, of.x, of.y, wanted, offset,
      [&](uint32_t vertex, uint32_t component) { return values[component][vertex]; }, out);
}

}  // namespace cutaway::emulator
