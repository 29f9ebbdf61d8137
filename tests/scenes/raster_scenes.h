#pragma once

#include "scenes/builder.h"

// Fixed-function rasterisation beyond filled triangles.
namespace cutaway::scenes {

Scene logic_operations();  // sixteen squares over a gradient, one for each operation
Scene line_modes();        // rectangles, Bresenham's and smooth lines: thin, wide, stippled, lists and strips
Scene polygon_modes();     // edges and vertices of triangles: stippled, biased, culled, clipped
Scene large_points();      // sizes from the program, point coordinates, points at the borders
Scene depth_ranges();      // depth clamp, clip, clamped bias, bounds, several viewports
Scene depths_with_stencil();  // hierarchical Z of formats with stencil: nearer layers and hidden ones

std::vector<Scene> raster_scenes();

}  // namespace cutaway::scenes
