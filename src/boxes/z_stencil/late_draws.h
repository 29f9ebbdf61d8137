#pragma once

#include <cstdint>

#include "messages/draw_state.h"

namespace cutaway::boxes {

// Draws that are tested after shading and have not come back whole.
class LateDraws {
 public:
  // The draw's end has passed the early side; it has come back.
  void pass(const messages::DrawState& state) { count(state, 1); }
  void come_back(const messages::DrawState& state) { count(state, ~0u); }

  uint32_t size() const { return all_; }
  // True if fragments of a later draw that fail its depth or stencil comparison now still fail it when all of
  // these have written.
  bool keep_failed(const messages::DrawState& later) const {
    using arch::Compare;
    if (later.depth.stencil_test && stencil_) return false;
    switch (later.depth.compare) {
      case Compare::kLess:
      case Compare::kLessOrEqual:
        return !raise_;
      case Compare::kGreater:
      case Compare::kGreaterOrEqual:
        return !lower_;
      default:
        return !raise_ && !lower_;
    }
  }

 private:
  void count(const messages::DrawState& state, uint32_t one) {
    using arch::Compare;
    const Compare compare = state.depth.compare;
    const bool less = compare == Compare::kLess || compare == Compare::kLessOrEqual;
    const bool greater = compare == Compare::kGreater || compare == Compare::kGreaterOrEqual;
    const bool any = compare == Compare::kAlways || compare == Compare::kNotEqual;
    all_ += one;
    if (state.depth.stencil_test && (state.depth.stencil_writes[0] || state.depth.stencil_writes[1]))
      stencil_ += one;
    if (!state.depth.depth_write) return;
    if (less || any) lower_ += one;
    if (greater || any) raise_ += one;
  }

  uint32_t all_ = 0;
  uint32_t lower_ = 0, raise_ = 0, stencil_ = 0;  // of all, those that may lower, raise, or change stencils
};

}  // namespace cutaway::boxes
