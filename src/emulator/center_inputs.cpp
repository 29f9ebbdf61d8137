#include "emulator/center_inputs.h"

#include <algorithm>

namespace cutaway::emulator {

void CenterInputs::begin(const FragmentDraw& draw, const PrimitiveBatch& batch) {
  draw_ = &draw, batch_ = &batch;
  components_.clear();
  prepared_ = kNone;
  reads_inv_w_ = draw.state->fragment().program->inputs[arch::kInputFragCoord] >> 3 & 1;
  for (const FragmentDraw::Component& c : draw.components)
    components_.push_back({c.mode, core_.input(c.input, c.component)});
  for (const FragmentDraw::Component& c : draw.zeros)
    std::fill_n(core_.input(c.input, c.component), kLanes, 0u);
  varying_.resize(components_.size());
}

void CenterInputs::fill(const func::Primitive& primitive, uint32_t number, const int32_t* x, const int32_t* y,
                        uint32_t quads, uint32_t lane, func::Barycentrics<kLanes>& weights) {
  wide_.barycentrics(primitive, x, y, quads, wanted(), weights);
  wide_.interpolate(components_.data(), static_cast<uint32_t>(components_.size()), primitive.vertices,
                    weights, quads, batch_->values_of(number, *draw_), lane);
  prepared_ = kNone;
}

void CenterInputs::fill_half(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y,
                             func::Barycentrics<kLanes>& weights) {
  if (prepared_ != number)
    varying_count_ = wide_.prepare(components_.data(), static_cast<uint32_t>(components_.size()),
                                   primitive.vertices, batch_->values_of(number, *draw_), varying_.data());
  prepared_ = number;
  if (!varying_count_ && !reads_inv_w_) return;
  wide_.half_barycentrics(primitive, x, y, wanted(), weights);
  wide_.interpolate_all(varying_.data(), varying_count_, weights);
}

}  // namespace cutaway::emulator
