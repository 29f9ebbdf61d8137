#include "replay/texture_picture.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "func/format/block.h"
#include "func/format/numeric.h"
#include "replay/target_watch.h"

namespace cutaway::replay {
namespace {

uint32_t larger_side(const arch::LevelLayout& level) { return std::max(level.width, level.height); }

uint32_t block_color(const func::TextureView& view, const std::byte* block, uint32_t texel) {
  uint32_t value[4];
  func::decode_block_texel(*view.format, view.layout, block, texel, value);
  uint32_t codes = 0xff000000;
  for (uint32_t c = 0; c < 3; c++) codes |= func::float_to_unorm(func::bits_float(value[c]), 8) << 8 * c;
  return codes;
}

// Applies the view's swizzle to R, G and B of a color.
uint32_t swizzled(const func::TextureView& view, uint32_t codes) {
  uint32_t result = 0xff000000;
  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t select = view.surface.swizzle >> (4 * c) & 15;
    result |= (select < 4 ? codes >> 8 * select & 255 : select == 5 ? 255u : 0u) << 8 * c;
  }
  return result;
}

}  // namespace

uint32_t shown_level(const func::TextureView& view, uint32_t side) {
  uint32_t level = 0;
  while (level + 1 < view.levels && larger_side(view.level[level]) > side) level++;
  return level;
}

uint64_t texture_hash(const arch::Memory& memory, const func::TextureView& view, uint32_t level) {
  const arch::LevelLayout& layout = view.level[level];
  std::array<std::byte, 65536> bytes;
  uint64_t hash = 0;
  const arch::Address start = view.slice_address(level, 0);
  for (uint64_t done = 0; done < layout.slice_pitch;) {
    const uint64_t part = std::min<uint64_t>(layout.slice_pitch - done, bytes.size());
    memory.read(start + done, bytes.data(), part);
    hash = hash_bytes(bytes.data(), part, hash);
    done += part;
  }
  return hash;
}

std::optional<run_record::ViewedTexture> texture_picture(const arch::Memory& memory,
                                                         const func::TextureView& view, uint32_t level,
                                                         uint32_t side) {
  const arch::FormatInfo& format = *view.format;
  if (!view.valid || func::is_buffer(view.surface.surface_type())) return std::nullopt;
  if (!view.block_format && !can_be_shown(view.surface)) return std::nullopt;
  const arch::LevelLayout& layout = view.level[level];
  const uint32_t step = (larger_side(layout) + side - 1) / side;
  run_record::ViewedTexture texture;
  texture.surface = {.address = view.surface.address,
                     .format = std::string(format.name),
                     .width = (layout.width + step - 1) / step,
                     .height = (layout.height + step - 1) / step,
                     .samples = view.surface.samples(),
                     .depth = format.has_depth()};
  texture.width = view.surface.width, texture.height = view.surface.height;
  texture.level = view.surface.base_level + level;
  texture.rgba.reserve(size_t{texture.surface.width} * texture.surface.height * 4);
  std::array<std::byte, func::kMaxTexelBytes> element;
  for (uint32_t y = 0; y < layout.height; y += step)
    for (uint32_t x = 0; x < layout.width; x += step) {
      memory.read(view.slice_address(level, 0) + view.row_offset(level, y) + view.column_offset(x),
                  element.data(), view.texel_bytes);
      const uint32_t color = view.block_format ? block_color(view, element.data(), 4 * (y % 4) + x % 4)
                                               : shown_color(format, view.layout, element.data());
      const uint32_t codes = format.has_depth() ? color : swizzled(view, color);
      for (uint32_t c = 0; c < 4; c++) texture.rgba.push_back(static_cast<uint8_t>(codes >> 8 * c));
    }
  return texture;
}

}  // namespace cutaway::replay
