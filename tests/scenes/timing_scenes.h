#pragma once

#include "scenes/builder.h"

// Scenes for the records of time and counters: small frames that exercise parts of the machine that the
// others do not.
namespace cutaway::scenes {

// Layers over the whole target, then hidden ones: hierarchical Z learns from the depth cache which depths it
// may reject. Some draws in between open tiles, and some compare in the other direction.
Scene hidden_layers(std::string name, arch::Format format, bool greater, uint32_t samples);
Scene indexed_mesh();       // shared vertices with many attributes and outputs, vertex textures, buffer loads
Scene several_targets();    // three targets at once, one linear, one of eight bytes a pixel, blended
Scene vertices_alone();     // a long vertex program, and little of it rasterised
Scene many_small_draws();   // states that change from draw to draw, culled and empty triangles
Scene copies_of_aspects();  // depth and stencil by themselves, many small copies in a row
// Seven draws whose fragments fail at every place: hidden by earlier depths early, late, or in a whole tile,
// and killed by their program. Bit i of of_driver: draw i belongs to the driver, as the clear before them
// does.
Scene driver_work(uint32_t of_driver);
// A plane in one submission and one behind it in the next: hierarchical Z rejects the second if it has kept
// its depths. With `written_between` a fill between them has moved the first plane behind the second.
Scene depth_over_submissions(bool written_between);
// The same, but the depth is written in the submission of the last draw, after its INVALIDATE: to a depth
// `nearer` than the last plane, which it hides, or to a farther one.
Scene depth_written_behind(bool nearer);
// Submissions that may overlap: the host is ahead of the GPU. Some read or overwrite what those before them
// draw, the host overwrites vertices that have been drawn, and a query counts beside other draws.
Scene submissions_ahead();
// Frames of small submissions, before each of which the host computes, or waits for an earlier one.
Scene host_steps();
// Frames that take turns at `count` pictures, as a swapchain of so many images.
Scene turning_pictures(const std::string& name, uint32_t count);
std::vector<Scene> timing_scenes();

}  // namespace cutaway::scenes
