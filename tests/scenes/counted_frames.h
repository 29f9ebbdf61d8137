#pragma once

#include "scenes/closed_form_scenes.h"

// The ancestor's regression frames rebuilt by their counts: as many draws, vertices of as many bytes,
// triangles, fragments and instructions, in pictures of the same size. Two equal frames each.
// tests/ancestor_scenes/frames.py simulates the second and holds its cycles beside the ancestor's.
namespace cutaway::scenes {

std::vector<NamedScene> counted_frames();

}  // namespace cutaway::scenes
