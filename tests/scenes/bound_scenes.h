#pragma once

#include "scenes/builder.h"

// Frames with a known bottleneck, because they need little of any other unit. Each comment gives the cycles
// that one kind of unit alone needs on `attila`, which has two shader units, texture units and ROPs.
namespace cutaway::scenes {

// 40 blended layers over 256x256: 655,360 quads, of which a ROP blends one a cycle: 327,680 cycles, if there
// are shader units enough for two quads a cycle.
Scene bound_by_fill();
// 4 layers of 256x256 with 4 accesses a fragment to a small texture, whose pixels are 8 texels wide and one
// high: 8 bilinear samples each. A texture unit takes a sample of a whole quad a cycle: 1,048,576 cycles.
Scene bound_by_texture();
// The same with a texture of 256 KB, of which all is read.
Scene bound_by_large_texture();
// 20,001 vertices of 203 instructions for groups of four, all but END one a cycle and shader unit: 505,025
// cycles; no fragment.
Scene bound_by_vertices();
// The same with 6 instructions, the third of which waits for a scalar result. On `attila` with one group in a
// unit at a time and a scalar latency of 60 the third waits 59 cycles, and the others together at most 17.
Scene bound_by_one_result();
// One layer of 256x256 with 403 instructions for each of 16,384 quads: 3,293,184 cycles.
Scene bound_by_shading();
// A draw of 20,001 vertices of 203 instructions as above, and then 16,384 quads of 62 instructions: 505,025
// cycles of vertex shading and 499,712 of fragment shading, if neither runs beside the other.
Scene bound_by_two_stages();
// For machines with these stages: 1,024 patches whose control program takes 2,000 instructions and discards
// them; 2,048 points whose geometry program takes 4,000 and emits nothing; 256 workgroups of 32 threads of
// 2,000. Each instruction needs the result of the one before it.
Scene bound_by_hull();
Scene bound_by_geometry();
Scene bound_by_compute();

}  // namespace cutaway::scenes
