#pragma once

#include "scenes/closed_form_scenes.h"

// Scenes of the kind that ATTILA's authors drew, in two frames, the second of which is like the first:
// tests/ancestor_scenes/ simulates the second, beside the scan-out of the first.
namespace cutaway::scenes {

std::vector<NamedScene> ancestor_scenes();

}  // namespace cutaway::scenes
