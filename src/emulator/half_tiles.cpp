#include "emulator/half_tiles.h"

#include "func/raster/coverage.h"

namespace cutaway::emulator {

bool HalfTiles::can_shade(const FragmentDraw& draw) {
  if (!draw.shades || draw.samples > 1 || !draw.copies) return false;  // no copies: its order matters
  const Program& program = *draw.state->fragment().program;
  const auto& inputs = program.inputs;
  return !program.inputs_pulled && !inputs[arch::kInputFragCoord] && !inputs[arch::kInputFragment] &&
         !inputs[arch::kInputPointCoord];
}

void HalfTiles::begin(const FragmentDraw& draw, const PrimitiveBatch& batch) {
  draw_ = &draw;
  core_.begin(draw.state->fragment(), draw.copies);
  inputs_.begin(draw, batch);
}

uint32_t HalfTiles::shade(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y) {
  if (!draw_->components.empty()) {
    int32_t at_x[kGroupQuads], at_y[kGroupQuads];
    for (uint32_t i = 0; i < kGroupQuads; i++) at_x[i] = x + func::quad_x(i), at_y[i] = y + func::quad_y(i);
    func::Barycentrics<kLanes> weights;
    inputs_.fill(primitive, number, at_x, at_y, kGroupQuads, 0, weights);
  }
  return static_cast<uint32_t>(core_.run(draw_->state->fragment(), ~uint32_t{0}, 0));
}

}  // namespace cutaway::emulator
