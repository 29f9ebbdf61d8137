#include "func/texture/texture_view.h"

namespace cutaway::func {
namespace {

// The format of an access: the stencil of a format with depth is a color of one integer.
arch::FormatInfo stencil_of(arch::Format format) {
  const arch::FormatInfo& whole = arch::format_info(format);
  arch::FormatInfo info;
  info.name = whole.name;
  info.bytes = whole.bytes;
  info.kind = arch::NumericKind::kUint;
  info.channel[0] = whole.stencil;
  return info;
}

const arch::FormatInfo& sampled_format(const arch::Surface& surface) {
  using arch::Format;
  static const arch::FormatInfo stencil[] = {
      stencil_of(Format::S8_UINT), stencil_of(Format::D16_UNORM_S8_UINT),
      stencil_of(Format::D24_UNORM_S8_UINT), stencil_of(Format::D32_SFLOAT_S8_UINT)};
  if (surface.reads_stencil() && arch::format_info(surface.format).has_stencil())
    return stencil[surface.format - static_cast<uint32_t>(Format::S8_UINT)];
  return arch::format_info(surface.format);
}

}  // namespace

TextureView make_texture_view(const arch::Surface& surface) {
  TextureView view;
  view.surface = surface;
  view.format = &sampled_format(surface);
  view.layout = texel_layout(*view.format);
  view.block_format = view.format->compressed;
  view.texel_bytes = view.format->bytes;
  view.tiled = surface.tiling() == arch::Tiling::kTiled;
  if (surface_error(surface)) return view;
  // Elements never straddle a cache line, except those of three words, which lie in buffers.
  const uint32_t alignment = view.texel_bytes & (0 - view.texel_bytes);
  const uint32_t places = surface.address.low | surface.row_pitch | surface.slice_pitch;
  if (alignment && places % alignment) return view;
  if (surface.surface_type() == arch::SurfaceType::kRawBuffer) {
    view.valid = true;
    return view;
  }
  if (is_buffer(surface.surface_type())) {
    if (!can_texel_buffer(*view.format)) return view;
    view.valid = true;
    view.levels = view.layers = 1;
    view.level[0] = {.width = surface.width, .height = 1, .depth = 1};
    return view;
  }
  if (!can_sample(*view.format)) return view;
  view.valid = true;
  view.levels = surface.level_count;
  view.layers = surface.layer_count;
  if (surface.layers > 1) view.layer_pitch = arch::layer_pitch(surface);
  for (uint32_t i = 0; i < view.levels; i++)
    view.level[i] = arch::level_layout(surface, surface.base_level + i);
  // The base layer of a 3D surface is a slice of its first level in view: a program may read it as 2D.
  if (surface.surface_type() == arch::SurfaceType::k3D) view.layer_pitch = view.level[0].slice_pitch;
  return view;
}

}  // namespace cutaway::func
