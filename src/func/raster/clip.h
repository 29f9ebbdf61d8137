#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "func/raster/setup.h"

// Clip codes and culling against the view volume (Vulkan "Primitive Clipping").
namespace cutaway::func {

enum ClipCode : uint32_t {
  kClipLeft = 1 << 0,    // x < -w
  kClipRight = 1 << 1,   // x > w
  kClipTop = 1 << 2,     // y < -w
  kClipBottom = 1 << 3,  // y > w
  kClipNear = 1 << 4,    // z < 0 or -w, with depth clip
  kClipFar = 1 << 5,     // z > w, with depth clip
  kClipEye = 1 << 6,     // w <= 0
  kClipUser = 1 << 8,    // << i: clip distance i < 0
};

// The set of planes that a vertex lies outside of. A NaN distance counts as outside; distances may be null.
uint32_t clip_code(const arch::Registers& registers, const float position[4], const float* distances);

// The Clipper's test: kAccepted, kTriviallyRejected or kNotFinite. setup() includes it. A point is rejected
// if its centre is outside any plane.
SetupResult trivial_reject(const arch::Registers& registers, const SetupInput& input);

// True if setup will cut the primitive by anything but its own edges: near, far, clip distances, the eye
// plane or the guard band. For statistics and for clippers that take extra time.
bool needs_clipping(const arch::Registers& registers, const SetupInput& input);

}  // namespace cutaway::func
