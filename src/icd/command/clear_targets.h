#pragma once

#include "icd/internal/internal_draw.h"

// Collects the attachments of a clear.
namespace cutaway::icd {

// One layer of the first level of a view.
arch::Surface layer_of(const arch::Surface& view, uint32_t layer);

// Adds a layer of a color attachment as color[index].
void add_color(const arch::Surface& view, uint32_t layer, uint32_t index, const VkClearColorValue& value,
               ClearTargets& targets);
// Adds a layer of a depth and stencil attachment: of both the aspects that its format has.
void add_depth_stencil(const arch::Surface& view, uint32_t layer, bool depth, bool stencil,
                       const VkClearDepthStencilValue& value, ClearTargets& targets);

inline bool empty(const ClearTargets& targets) {
  return !targets.colors && !targets.depth && !targets.stencil;
}
// Samples per pixel of the surfaces; not if empty.
inline uint32_t samples_of(const ClearTargets& targets) {
  return targets.colors ? targets.color[0].samples() : targets.depth_surface.samples();
}

}  // namespace cutaway::icd
