#pragma once

#include "scenes/builder.h"

// Scenes for the records of time and counters: small frames that lead the machine where the others do not.
namespace cutaway::scenes {

// Planes over the whole target, then hidden ones: hierarchical Z learns from the depth cache what it may
// reject. With draws in between that open tiles, and some that compare in the other direction.
Scene hidden_layers(std::string name, arch::Format format, bool greater, uint32_t samples);
Scene indexed_mesh();       // shared vertices with many attributes and outputs, vertex textures, buffer loads
Scene several_targets();    // three targets at once, one linear, one of eight bytes a pixel, blended
Scene vertices_alone();     // a long vertex program, and little of it rasterised
Scene many_small_draws();   // states that change from draw to draw, culled and empty triangles
Scene copies_of_aspects();  // depth and stencil by themselves, many small copies in a row
// Seven draws whose fragments fail in every place: behind what is there early, late, in a whole tile, and by
// their program. Bit i of of_driver: draw i is the driver's own, as the clear before them is.
Scene driver_work(uint32_t of_driver);
// A plane in one submission and one behind it in the next, which hierarchical Z rejects if it has kept what
// it knew; and the same where a fill between them has moved the first plane behind the second.
Scene depth_over_submissions(bool written_between);
// The same, but written in the submission of the last draw, behind its INVALIDATE; to a depth before or
// behind what was drawn and is drawn then.
Scene depth_written_behind(bool nearer);
std::vector<Scene> timing_scenes();

}  // namespace cutaway::scenes
