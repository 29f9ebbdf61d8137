#include "func/texture/texel_copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "func/format/block.h"

namespace cutaway::func {
namespace {

bool repeats(const WideTexture& texture) {
  return texture.axis[0].wrap == static_cast<uint32_t>(arch::Wrap::kRepeat);
}

// Elements (texels or blocks) that lie one after the other in memory, also in tiles.
constexpr uint32_t kRun = 4;
constexpr uint32_t kBlock = 4;  // texels of a side

// Converts `count` elements to bytes of R, G, B and A.
void decode_run(const WideTexture& texture, const std::byte* from, uint32_t count, uint32_t* to) {
  if (texture.texel == WideTexel::kUnorm8) {
    std::memcpy(to, from, count * sizeof *to);
    if (texture.bgra)
      for (uint32_t i = 0; i < count; i++)
        to[i] = (to[i] & 0xff00ff00) | (to[i] & 0xff) << 16 | (to[i] >> 16 & 0xff);
    return;
  }
  const uint32_t bytes = texture.element_bytes;
  for (uint32_t i = 0; i < count; i++, from += bytes) {
    const uint32_t green = bytes > 1 ? static_cast<uint32_t>(from[1]) << 8 : 0;
    to[i] = static_cast<uint32_t>(from[0]) | green | 0xff000000;
  }
}

// The rows of a level that one run of memory holds: those of a row of tiles, or one row of elements.
struct Band {
  const WideTexture& texture;
  const TextureView& view;
  uint32_t width, height;  // texels
  const std::byte* bytes;
  uint32_t* to;    // its first texel
  uint32_t pitch;  // of `to`

  // Visits runs: where they lie, their column and row, and how many elements they have.
  template <class Visit>
  void each_run(uint32_t columns, uint32_t rows, Visit&& visit) const {
    const uint32_t row_bytes = view.tiled ? kRun * texture.element_bytes : 0;
    for (uint32_t y = 0; y < rows; y++) {
      const std::byte* const row = bytes + (y & 3) * row_bytes + (y & 4) * 2 * row_bytes;
      for (uint32_t x = 0; x < columns; x += kRun) {
        const uint32_t tile = view.tiled ? x / arch::kTileSize * 64 + (x & kRun) * kRun : x;
        visit(row + size_t{tile} * texture.element_bytes, x, y, std::min(kRun, columns - x));
      }
    }
  }

  void decode() const {
    if (!texture.block_format)
      return each_run(width, height, [&](const std::byte* from, uint32_t x, uint32_t y, uint32_t count) {
        decode_run(texture, from, count, to + size_t{y} * pitch + x);
      });
    const uint32_t columns = (width + kBlock - 1) / kBlock, rows = (height + kBlock - 1) / kBlock;
    each_run(columns, rows, [&](const std::byte* from, uint32_t x, uint32_t y, uint32_t count) {
      for (uint32_t i = 0; i < count; i++)
        decode_block(from + i * texture.element_bytes, (x + i) * kBlock, y * kBlock);
    });
  }
  void decode_block(const std::byte* block, uint32_t x, uint32_t y) const {
    uint32_t texels[kBlock * kBlock];
    decode_whole_block(view.layout, block, texels);
    const uint32_t columns = std::min(kBlock, width - x), rows = std::min(kBlock, height - y);
    for (uint32_t row = 0; row < rows; row++)
      std::memcpy(to + size_t{y + row} * pitch + x, texels + kBlock * row, columns * sizeof *to);
  }
};

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
  // Beyond the last level, so that a window reaches from any texel on.
  size_t words = (kWindowRows - 1) * (size_t{view.level[0].width} + 2) + kWindowColumns;
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
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < view.levels; i++) copy_level(view, texture, read, i, bytes);
}

void TexelCopy::copy_level(const TextureView& view, const WideTexture& texture, const TexelReader& read,
                           uint32_t level, std::vector<std::byte>& bytes) {
  const uint32_t width = view.level[level].width, height = view.level[level].height;
  const uint32_t block = texture.block_format ? kBlock : 1, columns = (width + block - 1) / block;
  const uint32_t tiles = (columns + arch::kTileSize - 1) / arch::kTileSize;
  const uint32_t elements = view.tiled ? tiles * arch::kTileSize * arch::kTileSize : columns;
  const uint32_t rows = (view.tiled ? arch::kTileSize : 1) * block;  // of texels, in a band
  bytes.resize(size_t{elements} * texture.element_bytes);
  uint32_t* const first = storage_.get() + rows_.first[level];
  const uint32_t pitch = rows_.pitch[level];
  for (uint32_t y = 0; y < height; y += rows) {
    read(view.slice_address(level, 0) + view.row_offset(level, y), static_cast<uint32_t>(bytes.size()),
         bytes.data());
    Band{texture, view, width, std::min(rows, height - y), bytes.data(), first + size_t{y} * pitch, pitch}
        .decode();
  }
  for (uint32_t y = 0; y < height; y++) {
    uint32_t* const row = first + size_t{y} * pitch;
    row[-1] = row[repeats(texture) ? width - 1 : 0];
    row[width] = row[repeats(texture) ? 0 : width - 1];
  }
}

}  // namespace cutaway::func
