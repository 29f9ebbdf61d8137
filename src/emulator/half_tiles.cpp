#include "emulator/half_tiles.h"

#include <algorithm>
#include <bit>

#include "func/raster/coverage.h"

namespace cutaway::emulator {

bool HalfTiles::can_shade(const FragmentDraw& draw) {
  if (!draw.shades || draw.samples > 1 || !draw.copies) return false;  // no copies: its order matters
  const Program& program = *draw.state->fragment().program;
  const bool reads_depth = program.inputs[arch::kInputFragCoord] >> 2 & 1;
  return !program.inputs_pulled && !reads_depth && !program.inputs[arch::kInputPointCoord];
}

void HalfTiles::begin(const FragmentDraw& draw, const PrimitiveBatch& batch) {
  draw_ = &draw;
  core_.begin(draw.state->fragment(), draw.copies);
  inputs_.begin(draw, batch);
}

uint32_t HalfTiles::shade(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y) {
  fill_inputs(primitive, number, x, y);
  return static_cast<uint32_t>(core_.run(draw_->state->fragment(), ~uint32_t{0}, 0));
}

void HalfTiles::fill_inputs(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y) {
  const auto& inputs = draw_->state->fragment().program->inputs;
  func::Barycentrics<kLanes> weights;
  if (!draw_->components.empty() || inputs[arch::kInputFragCoord])
    inputs_.fill_half(primitive, number, x, y, weights);
  if (inputs[arch::kInputFragCoord]) fill_place(x, y, weights.inv_w);
  if (inputs[arch::kInputFragment]) fill_fragment(primitive);
}

// Fills arch::kInputFragCoord without the depth: func::frag_coord() at centres.
void HalfTiles::fill_place(int32_t x, int32_t y, const float* inv_w) {
  const uint8_t reads = draw_->state->fragment().program->inputs[arch::kInputFragCoord];
  const auto put = [&](uint32_t component, auto&& value) {
    uint32_t* const to = core_.input(arch::kInputFragCoord, component);
    for (uint32_t lane = 0; reads >> component & 1 && lane < kLanes; lane++)
      to[lane] = std::bit_cast<uint32_t>(value(static_cast<int32_t>(lane)));
  };
  put(0, [&](int32_t lane) {
    return static_cast<float>(x + func::quad_x(static_cast<uint32_t>(lane) / 4) + (lane & 1)) + 0.5f;
  });
  put(1, [&](int32_t lane) {
    return static_cast<float>(y + func::quad_y(static_cast<uint32_t>(lane) / 4) + (lane >> 1 & 1)) + 0.5f;
  });
  put(3, [&](int32_t lane) { return inv_w[lane]; });
}

// Fills arch::kInputFragment, as command_stream::fragment_input() does for covered pixels of one sample.
void HalfTiles::fill_fragment(const func::Primitive& primitive) {
  const uint8_t reads = draw_->state->fragment().program->inputs[arch::kInputFragment];
  const uint32_t value[4] = {primitive.front_facing ? ~0u : 0u, 0, 1, primitive.id};
  for (uint32_t c = 0; c < 4; c++)
    if (reads >> c & 1) std::fill_n(core_.input(arch::kInputFragment, c), kLanes, value[c]);
}

}  // namespace cutaway::emulator
