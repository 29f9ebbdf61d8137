#pragma once

#include <array>

#include "arch/registers.h"
#include "func/rop/blend.h"
#include "func/rop/depth_stencil.h"
#include "func/rop/target_view.h"

namespace cutaway::draw {

// What the fragments of a draw need of its registers, worked out. The registers are those of a legal draw.
struct FragmentPlan {
  uint32_t samples = 1;         // per pixel
  bool sample_shading = false;  // each sample of a pixel is shaded by itself
  uint32_t locations = 0;       // func::locations_used
  func::DepthState depth;
  func::TargetView depth_view;  // if depth has a surface
  std::array<func::TargetState, arch::kColorTargets> target;
  std::array<func::TargetView, arch::kColorTargets> target_view;  // of those that are enabled

  void plan(const arch::Registers& registers);
  // The views of the framebuffer's layer that fragments go to from here on; 0 before.
  void choose_layer(const arch::Registers& registers, uint32_t layer);
};

}  // namespace cutaway::draw
