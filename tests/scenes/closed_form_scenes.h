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

std::vector<NamedScene> closed_form_scenes();

}  // namespace cutaway::scenes
