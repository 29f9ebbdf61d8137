#pragma once

#include <cstdint>

#include "func/texture/texture_view.h"
#include "isa/operands.h"

// Finds words and texels of stores, atomics and loads from storage images. Accesses out of bounds read zeros
// and are not written (Vulkan "robustBufferAccess").
namespace cutaway::func {

// Finds the word at `byte`, rounded down to a word, of a raw buffer. The word's first byte must be in bounds.
inline bool storage_word(const arch::Surface& buffer, uint64_t byte, arch::Address& address) {
  const uint64_t offset = byte & ~uint64_t{3};
  if (buffer.surface_type() != arch::SurfaceType::kRawBuffer || offset >= buffer.width) return false;
  address = buffer.address + offset;
  return true;
}

// The part of a word that a store writes: bytes from `first` on, at src0.x.
struct WordPart {
  uint32_t first = 0, bytes = 4;
};
inline WordPart word_part(isa::StoreSize size, uint32_t byte) {
  switch (size) {
    case isa::StoreSize::kHalf:
      return {byte & 2, 2};
    case isa::StoreSize::kByte:
      return {byte & 3, 1};
    case isa::StoreSize::kWords:
      break;
  }
  return {};
}

// Atomics act on whole words: at other addresses they return 0 and write nothing.
inline bool is_word(arch::Address address) { return address % 4 == 0; }

// Finds the texel at integer coordinates of the view's first level. Layers follow the last coordinate; the
// faces of cubes are layers.
inline bool storage_texel(const TextureView& view, isa::TextureDim dim, const uint32_t coordinate[4],
                          arch::Address& address) {
  using enum isa::TextureDim;
  if (!view.valid || view.levels == 0 || view.surface.samples() != 1) return false;
  const bool flat = dim == k1D || dim == k1DArray || dim == kBuffer;
  const uint32_t x = coordinate[0], y = flat ? 0 : coordinate[1], z = dim == k3D ? coordinate[2] : 0;
  uint32_t layer = 0;
  if (dim == k1DArray) layer = coordinate[1];
  if (dim == k2DArray || isa::is_cube(dim)) layer = coordinate[2];
  const arch::LevelLayout& level = view.level[0];
  if (x >= level.width || y >= level.height || z >= level.depth || layer >= view.layers) return false;
  address =
      view.slice_address(0, layer) + z * level.slice_pitch + view.column_offset(x) + view.row_offset(0, y);
  return true;
}

}  // namespace cutaway::func
