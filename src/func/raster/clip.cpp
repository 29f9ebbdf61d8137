#include "func/raster/clip.h"

#include "func/raster/window.h"

namespace cutaway::func {

using namespace raster;

namespace {

uint32_t clip_distances(const arch::Registers& registers) {
  const uint32_t count = registers.vertex_out.clip_distances;
  return count < kMaxClipDistances ? count : kMaxClipDistances;
}

// Index one past the last cull distance; they follow the clip distances.
uint32_t all_distances(const arch::Registers& registers) {
  const uint32_t clip = clip_distances(registers), cull = registers.vertex_out.cull_distances;
  return cull < kMaxClipDistances - clip ? clip + cull : kMaxClipDistances;
}

}  // namespace

uint32_t clip_code(const arch::Registers& registers, const float position[4], const float* distances) {
  const double x = load(position[0]), y = load(position[1]), z = load(position[2]), w = load(position[3]);
  uint32_t code = 0;
  if (x < -w) code |= kClipLeft;
  if (x > w) code |= kClipRight;
  if (y < -w) code |= kClipTop;
  if (y > w) code |= kClipBottom;
  if (!(w > 0)) code |= kClipEye;
  if (clips_depth(registers)) {
    if (near_distance(registers, z, w) < 0) code |= kClipNear;
    if (z > w) code |= kClipFar;
  }
  if (distances != nullptr)
    for (uint32_t i = 0; i < clip_distances(registers); ++i)
      if (load_distance(distances[i]) < 0) code |= kClipUser << i;
  return code;
}

SetupResult trivial_reject(const arch::Registers& registers, const SetupInput& input) {
  uint32_t all = ~0u, any = 0;
  for (uint32_t v = 0; v < input.vertices; ++v) {
    for (int i = 0; i < 4; ++i)
      if (!finite(input.position[v][i])) return SetupResult::kNotFinite;
    const float* distances = input.distances != nullptr ? input.distances[v] : nullptr;
    const uint32_t code = clip_code(registers, input.position[v], distances);
    all &= code;
    any |= code;
  }
  if (all != 0 || (input.vertices == 1 && any != 0)) return SetupResult::kTriviallyRejected;
  if (input.distances == nullptr) return SetupResult::kAccepted;
  for (uint32_t i = clip_distances(registers); i < all_distances(registers); ++i) {
    bool culled = true;
    for (uint32_t v = 0; v < input.vertices; ++v) culled &= load_distance(input.distances[v][i]) < 0;
    if (culled) return SetupResult::kTriviallyRejected;
  }
  return SetupResult::kAccepted;
}

bool needs_clipping(const arch::Registers& registers, const SetupInput& input) {
  View view;
  const uint32_t viewport = input.viewport < arch::kViewports ? input.viewport : 0;
  if (!view.read(registers.raster.viewport[viewport])) return false;
  constexpr uint32_t kScissored = kClipLeft | kClipRight | kClipTop | kClipBottom;
  for (uint32_t v = 0; v < input.vertices; ++v) {
    const float* distances = input.distances != nullptr ? input.distances[v] : nullptr;
    if ((clip_code(registers, input.position[v], distances) & ~kScissored) != 0) return true;
    if (!window_vertex(view, input.position[v]).snapped) return true;
  }
  return false;
}

}  // namespace cutaway::func
