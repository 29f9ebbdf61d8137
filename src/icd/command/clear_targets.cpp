#include "icd/command/clear_targets.h"

namespace cutaway::icd {

arch::Surface layer_of(const arch::Surface& view, uint32_t layer) {
  arch::Surface surface = view;
  surface.base_layer += layer;
  surface.layer_count = 1;
  surface.level_count = 1;
  return surface;
}

void add_color(const arch::Surface& view, uint32_t layer, uint32_t index, const VkClearColorValue& value,
               ClearTargets& targets) {
  targets.colors |= 1u << index;
  targets.color[index] = layer_of(view, layer);
  targets.color_value[index] = value;
}

void add_depth_stencil(const arch::Surface& view, uint32_t layer, bool depth, bool stencil,
                       const VkClearDepthStencilValue& value, ClearTargets& targets) {
  const arch::FormatInfo& format = arch::format_info(view.format);
  targets.depth = depth && format.has_depth();
  targets.stencil = stencil && format.has_stencil();
  targets.depth_surface = layer_of(view, layer);
  targets.depth_value = value;
}

}  // namespace cutaway::icd
