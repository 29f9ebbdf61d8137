#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenes/builder.h"

// Frames that give one kind of unit a known amount of work and the others little. The second of two frames
// has twice the work of the first, so that the difference of their cycles omits the common part (loading,
// start, drain, flush, scan-out). tests/closed_forms/ has the formulas.
namespace cutaway::scenes {

struct NamedScene {
  std::string name;
  std::function<Scene()> make;
};

// Frames 1 and 2 do the work once, frame 3 twice. The scan-out of a picture of one size runs during the last
// two.
Scene three_frames(Builder& b, const std::function<void(uint32_t times)>& frame);

std::vector<NamedScene> closed_form_scenes();
// 32 submissions of one draw each, which covers a square with sides of `pixels`. The host waits for each, or
// is ahead. And the same draws in one submission.
Scene small_submissions(const std::string& name, uint32_t pixels, bool ahead);
Scene small_draws(const std::string& name, uint32_t pixels);
// 64 submissions of a NOP, before each of which the host computes. waits: first it waits for the one before.
Scene host_submissions(const std::string& name, uint64_t nanoseconds, bool waits);
std::vector<NamedScene> vertex_rate_scenes();  // the scenes of vertices and of strips
std::vector<NamedScene> stage_rate_scenes();   // the scenes of workgroups, patches and rasterisers
std::vector<NamedScene> translation_scenes();  // texels of one column, one after the other

}  // namespace cutaway::scenes
