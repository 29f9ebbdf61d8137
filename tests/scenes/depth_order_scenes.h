#pragma once

#include "scenes/builder.h"

// Draws whose depth tests come before shading and after it, in turn.
namespace cutaway::scenes {

// Panes over one another at random, of all modes and comparisons: tested early, discarded in stripes and
// tested twice, with an exported depth and tested late.
Scene depth_orders(uint32_t samples);
// Exported depths on the promised sides of the interpolated ones, and on the other, behind and before panes.
Scene depth_promises();
// A mask of stencils, then layers that test it, of which some discard or change it, over more tiles than Z
// caches hold.
Scene stencil_layers();
// Draws tested late and hidden draws in turn, each of 4 layers over 64x64 pixels, whose programs have 16
// instructions. The hidden ones are in `mode`.
Scene late_and_hidden(const std::string& name, arch::DepthMode mode);

}  // namespace cutaway::scenes
