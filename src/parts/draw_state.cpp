#include "parts/draw_state.h"

namespace cutaway::parts {

void DrawState::prepare() {
  depth = func::make_depth_state(registers.depth);
  depth_view = TargetView(registers.depth.surface);
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    target[i] = func::make_target_state(registers.color, i);
    target_view[i] = TargetView(registers.color.target[i].surface);
  }
}

}  // namespace cutaway::parts
