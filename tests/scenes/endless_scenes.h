#pragma once

#include "scenes/builder.h"

// Scenes that keep a GPU at work for minutes or for good. Not for playing whole.
namespace cutaway::scenes {

// Within the work limits of a submission, each at least tens of seconds on the emulator: 2^26 vertices of a
// long program; calls over 3 x 2^26 words of zeros; long fragment and compute programs; a copy of 2^36 bytes.
std::vector<Scene> long_scenes();

// Beyond the limits, which is detected before the work begins: 2^31 vertices, or as many instances without
// vertices; 2^24 instances of a cube in place of one; a copy and a fill of 2^39 bytes; 2^33 workgroups.
std::vector<Scene> endless_scenes();

}  // namespace cutaway::scenes
