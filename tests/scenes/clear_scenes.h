#pragma once

#include <array>

#include "scenes/builder.h"

namespace cutaway::scenes {

// A rectangle of a surface's level and layers in view: CLEAR.
struct ClearOf {
  uint32_t x = 0, y = 0, width = 0, height = 0;  // width 0: all of the level
  arch::CopyAspect aspect = arch::CopyAspect::kAll;
};
void clear_color(Builder& b, const arch::Surface& surface, const std::array<float, 4>& color,
                 ClearOf of = {});
void clear_depth(Builder& b, const arch::Surface& surface, float depth, uint32_t stencil, ClearOf of = {});

// Clears surfaces of many shapes between draws, then reads them in every way.
Scene cleared_targets();
// Draws with depth and stencil tests in tiles that clears have just set, with `samples` samples, and clears
// in between.
Scene cleared_depth(std::string name, arch::Format format, uint32_t samples);
// Clears depth and leaves stencil, of tiles whose stencil is in memory, compressed or cleared; then tests it.
Scene depth_cleared_alone();
// Only clears, of a color target and of depth and stencil. all_scenes() lacks it.
Scene only_clears(uint32_t width, uint32_t height);

}  // namespace cutaway::scenes
