#pragma once

#include "probe/cases.h"

// The primitives of the experiments. Unless stated otherwise, each shape covers every pixel of the window
// once.
namespace cutaway::probe {

Shape one_triangle(uint32_t);                // larger than the window, clipped
Shape one_quad(uint32_t);                    // two triangles
Shape quads(uint32_t size);                  // rows of them
Shape quads_in_tiles(uint32_t size);         // rows within tiles of 16 pixels
Shape quads_shifted(uint32_t size);          // the same, a pixel to the right; the last column is outside
Shape strips(uint32_t size);                 // of two triangles each
Shape lines(uint32_t length);                // horizontal, from bottom to top
Shape line_quads(uint32_t size);             // stacks of lines, from left to right and from bottom to top
Shape points(uint32_t);                      // rows from bottom to top
Shape point_quads(uint32_t size);            // squares of points, in the same order
Shape points_spaced(uint32_t distance);      // one point in each square of that size
Shape points_on_one_pixel(uint32_t);         // as many as the window has pixels
Shape star_points(uint32_t);                 // one in each sub-tile, 8x4 pixels
Shape star_points_by_kind(uint32_t);         // those of kStars: all of the first kind, then of the second
Shape star_block(uint32_t);                  // as many pixels as star_points has, in one block
Shape line_points(uint32_t);                 // the slow pixels of kSilhouettes
Shape line_points_in_turn(uint32_t);         // the same, a pixel of each line in turn
Shape points_on_six_pixels(uint32_t tiles);  // alternating between this many tiles of 16 pixels in a row

}  // namespace cutaway::probe
