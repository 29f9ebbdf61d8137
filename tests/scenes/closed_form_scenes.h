#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenes/builder.h"

// Frames that ask one kind of unit for a known amount of work and the others for little. Each scene has two
// frames, and the second asks for twice the work of the first: what both have in common (loading, start,
// drain, flush, scan-out) is not in the difference of their cycles. tests/closed_forms/ has the formulas.
namespace cutaway::scenes {

struct NamedScene {
  std::string name;
  std::function<Scene()> make;
};

// Frames 1 and 2 do the work once, frame 3 twice as often. The last two have a scan-out of one size beside
// them.
Scene three_frames(Builder& b, const std::function<void(uint32_t times)>& frame);

std::vector<NamedScene> closed_form_scenes();
std::vector<NamedScene> stage_rate_scenes();  // those of them about workgroups, patches and rasterisers

}  // namespace cutaway::scenes
