#include "func/texture/texel_copy.h"

#include <cstring>
#include <utility>

namespace cutaway::func {
namespace {

bool repeats(const WideTexture& texture) {
  return texture.axis[0].wrap == static_cast<uint32_t>(arch::Wrap::kRepeat);
}

// Bytes of R, G, B and A.
uint32_t decode(const TextureView& view, const WideTexture& texture, const std::byte* element,
                uint32_t in_block) {
  if (texture.block_format) return decode_block_bytes(view.layout, element, in_block);
  if (texture.texel == WideTexel::kBytes) {
    const uint32_t green = view.texel_bytes > 1 ? static_cast<uint32_t>(element[1]) << 8 : 0;
    return static_cast<uint32_t>(element[0]) | green | 0xff000000;
  }
  uint32_t word;
  std::memcpy(&word, element, sizeof word);
  if (!texture.bgra) return word;
  return (word & 0xff00ff00) | (word & 0xff) << 16 | (word >> 16 & 0xff);
}

}  // namespace

bool can_copy(const WideTexture& texture) {
  using enum arch::Wrap;
  const auto wrap = static_cast<arch::Wrap>(texture.axis[0].wrap);
  // Rows and their pitch are multiplied as numbers of 15 bits.
  const bool small = texture.level.width[0] + 2 < 1 << 15 && texture.level.height[0] < 1 << 15;
  return texture.possible && texture.plain && !texture.compare && small &&
         (texture.texel == WideTexel::kUnorm8 || texture.texel == WideTexel::kBytes ||
          texture.texel == WideTexel::kBc1) &&
         (wrap == kRepeat || wrap == kClampToEdge || wrap == kClampToBorder);
}

size_t TexelCopy::words(const TextureView& view) {
  size_t words = 0;
  for (uint32_t i = 0; i < view.levels; i++) words += size_t{view.level[i].width + 2} * view.level[i].height;
  return words;
}

TexelCopy::TexelCopy(const TextureView& view, const WideTexture& texture, const TexelReader& read,
                     std::shared_ptr<uint32_t> storage)
    : storage_(std::move(storage)) {
  rows_.texels = storage_.get();
  uint32_t words = 0;
  for (uint32_t i = 0; i < view.levels; i++) {
    rows_.pitch[i] = view.level[i].width + 2;
    rows_.first[i] = words + 1;
    words += rows_.pitch[i] * view.level[i].height;
  }
  std::byte element[kMaxTexelBytes];
  for (uint32_t i = 0; i < view.levels; i++) {
    const uint32_t width = view.level[i].width;
    for (uint32_t y = 0; y < view.level[i].height; y++) {
      uint32_t* const row = storage_.get() + rows_.first[i] + size_t{y} * rows_.pitch[i];
      const arch::Address start = view.slice_address(i, 0) + view.row_offset(i, y);
      for (uint32_t x = 0; x < width; x++) {
        read(start + view.column_offset(x), texture.element_bytes, element);
        row[x] = decode(view, texture, element, (y & 3) * 4 + (x & 3));
      }
      row[-1] = row[repeats(texture) ? width - 1 : 0];
      row[width] = row[repeats(texture) ? 0 : width - 1];
    }
  }
}

}  // namespace cutaway::func
