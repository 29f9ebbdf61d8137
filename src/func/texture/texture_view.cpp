#include "func/texture/texture_view.h"

namespace cutaway::func {

TextureView make_texture_view(const arch::Surface& surface) {
  TextureView view;
  view.surface = surface;
  view.format = &arch::format_info(surface.format);
  view.layout = texel_layout(*view.format);
  view.texel_bytes = view.format->bytes;
  view.tiled = surface.tiling() == arch::Tiling::kTiled;
  if (surface_error(surface)) return view;
  if (surface.surface_type() == arch::SurfaceType::kRawBuffer) {
    view.valid = true;
    return view;
  }
  if (!can_sample(*view.format)) return view;
  view.valid = true;
  if (is_buffer(surface.surface_type())) {
    view.levels = view.layers = 1;
    view.level[0] = {.width = surface.width, .height = 1, .depth = 1};
    return view;
  }
  view.levels = surface.level_count;
  view.layers = surface.layer_count;
  if (surface.layers > 1) view.layer_pitch = arch::layer_pitch(surface);
  for (uint32_t i = 0; i < view.levels; i++)
    view.level[i] = arch::level_layout(surface, surface.base_level + i);
  return view;
}

}  // namespace cutaway::func
