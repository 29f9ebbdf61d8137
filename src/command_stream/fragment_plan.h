#pragma once

#include <array>

#include "arch/registers.h"
#include "func/rop/blend.h"
#include "func/rop/depth_stencil.h"
#include "func/rop/target_view.h"

namespace cutaway::command_stream {

// Values that a draw's fragments need, derived from its registers. The registers must be those of a legal
// draw.
struct FragmentPlan {
  uint32_t samples = 1;         // per pixel
  bool sample_shading = false;  // each sample of a pixel is shaded separately
  uint32_t locations = 0;       // func::locations_used
  func::DepthState depth;
  func::TargetView depth_view;  // if there is a depth surface
  std::array<func::TargetState, arch::kColorTargets> target;
  std::array<func::TargetView, arch::kColorTargets> target_view;  // of enabled targets

  void plan(const arch::Registers& registers);
  // Selects the framebuffer layer of the views for following fragments; 0 initially.
  void choose_layer(const arch::Registers& registers, uint32_t layer);
};

}  // namespace cutaway::command_stream
