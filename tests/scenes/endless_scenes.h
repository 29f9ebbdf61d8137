#pragma once

#include "scenes/builder.h"

// Scenes that keep a GPU at work for minutes or for good. Not for playing whole.
namespace cutaway::scenes {

// Within what a submission may ask for, each for at least tens of seconds on the emulator: 2^29 vertices;
// calls over 2^28 words of nothing; long fragment and compute programs; a copy of 2^36 bytes.
std::vector<Scene> long_scenes();

}  // namespace cutaway::scenes
