#pragma once

#include <random>

#include "scenes/builder.h"

// Command streams that GPUs must refuse, for tests.
namespace cutaway::scenes {

// Nested calls, each the last packet of its commands.
Scene nested_calls(uint32_t depth);

// Replaces up to six words of the data written to memory: of commands, programs, descriptors or data. About
// half of them are in the last write, which holds the commands if the scene has one submission.
void damage(Scene& scene, std::mt19937& random);

}  // namespace cutaway::scenes
