#pragma once

#include <random>

#include "scenes/builder.h"

// Streams for tests of what GPUs refuse.
namespace cutaway::scenes {

// Calls in calls, each the last packet of its commands.
Scene nested_calls(uint32_t depth);

// Replaces up to six words of what is written to memory: of commands, programs, descriptors or data. Half of
// them are in the last write, which of scenes of one submission holds the commands.
void damage(Scene& scene, std::mt19937& random);

}  // namespace cutaway::scenes
