#pragma once

#include <cstdint>

#include "arch/format.h"
#include "arch/state.h"

namespace cutaway::arch {

using Address = uint64_t;  // a byte of one context's GPU address space

// A 64-bit value in two register words, low word first.
struct Word64 {
  uint32_t low = 0, high = 0;

  constexpr Word64() = default;
  constexpr Word64(uint64_t value)
      : low(static_cast<uint32_t>(value)), high(static_cast<uint32_t>(value >> 32)) {}
  constexpr operator uint64_t() const { return uint64_t{high} << 32 | low; }
};

constexpr uint32_t kTileSize = 8;    // a tile is 8×8 elements: one HZ entry, one compression block
constexpr uint32_t kSectorSize = 4;  // of four sectors of 4×4 elements, each contiguous, in row order
constexpr uint32_t kLevelAlignment = 256;
constexpr uint32_t kSurfacePage = 4096;  // rows of tiles of a surface in pages begin at multiples
constexpr uint32_t kLinearPitchAlignment = 64;
constexpr uint32_t kMaxDimension = 16384;

// Layout and interpretation of texels: one descriptor of 16 words for textures, render targets, buffers,
// copies and the display. width to layers describe the whole image, base_* and *_count the part in view.
struct Surface {
  Word64 address;   // of level 0, layer 0; tiled: a multiple of kLevelAlignment
  uint32_t format;  // Format of the view; the layout depends only on its element size
  uint32_t type;    // bits 0..7 SurfaceType, 8..14 Tiling, 15 kInPages, 16..23 log2 of samples, 24..31 the
                    // aspect that textures read from a format with depth and stencil: 0 depth, 1 stencil
  uint32_t width, height,
      depth;                // texels; buffers: width in elements (raw buffers: bytes), height = depth = 1
  uint32_t levels, layers;  // a cube's faces are layers
  uint32_t base_level, level_count, base_layer, layer_count;
  uint32_t swizzle;      // four fields of 4 bits, R first: 0..3 = R..A, 4 = zero, 5 = one
  uint32_t row_pitch;    // linear: bytes between rows of elements; 0 = derived
  uint32_t slice_pitch;  // linear: bytes between depth slices or layers; 0 = derived

  SurfaceType surface_type() const { return static_cast<SurfaceType>(type & 0xff); }
  Tiling tiling() const { return static_cast<Tiling>(type >> 8 & 0x7f); }
  static constexpr uint32_t kInPages = 1u << 15;
  bool in_pages() const { return type & kInPages; }  // tiled: a page holds tiles of one row of one level
  uint32_t samples() const {                         // defined for illegal descriptors too: at most 2^31
    const uint32_t log2 = type >> 16 & 0xff;
    return 1u << (log2 < 31 ? log2 : 31);
  }
  static constexpr uint32_t kReadsStencil = 1u << 24;
  bool reads_stencil() const { return (type >> 24) == 1; }
  static constexpr uint32_t make_type(SurfaceType type, Tiling tiling, uint32_t samples_log2 = 0) {
    return static_cast<uint32_t>(type) | static_cast<uint32_t>(tiling) << 8 | samples_log2 << 16;
  }
};
static_assert(sizeof(Surface) == 64);

constexpr uint32_t kSwizzleIdentity = 0x3210;

// Filtering and addressing of a texture (Vulkan "Samplers"): 16 words.
struct Sampler {
  uint32_t mag_filter, min_filter;  // Filter
  uint32_t mip_mode;                // MipMode
  uint32_t wrap_u, wrap_v, wrap_w;  // Wrap
  uint32_t compare;                 // 0: no comparison; else Compare + 1
  uint32_t max_anisotropy;          // 0 or 1: off
  float lod_bias, min_lod, max_lod;
  uint32_t border[4];  // bits of a border texel, R to A
  uint32_t flags;      // kUnnormalized, kSeparateFaces

  static constexpr uint32_t kUnnormalized = 1;   // coordinates are in texels
  static constexpr uint32_t kSeparateFaces = 2;  // filters do not cross the edges of a cube's faces
  bool unnormalized() const { return flags & kUnnormalized; }
  bool separate_faces() const { return flags & kSeparateFaces; }
};
static_assert(sizeof(Sampler) == 64);

// Memory layout of one level of a surface.
struct LevelLayout {
  uint64_t offset = 0;                        // bytes from the start of its layer
  uint32_t width = 0, height = 0, depth = 0;  // texels
  uint32_t columns = 0, rows = 0;             // elements; tiled: rounded up to whole tiles
  uint64_t row_pitch = 0;                     // bytes; linear: a row of elements, tiled: a row of tiles
  uint64_t slice_pitch = 0;                   // bytes between depth slices of this level
};

// The layout of docs/hardware.md "Surfaces": layers, within them levels, within them depth slices, within
// them rows. A level starts at a multiple of kLevelAlignment. With several samples, an 8×8 tile is followed
// by the tiles of its other samples. In pages, rows of tiles, and so slices, levels and layers, start at
// multiples of kSurfacePage.
LevelLayout level_layout(const Surface& surface, uint32_t level);
uint64_t layer_pitch(const Surface& surface);    // bytes between layers
uint64_t surface_bytes(const Surface& surface);  // of the whole image
// Upper bound of the bytes that a surface occupies from its address on. Slices of a linear surface may lie
// farther apart than its layer pitch says; includes buffers.
uint64_t surface_span(const Surface& surface);

// Byte offset of an element within one depth slice of a tiled level.
constexpr uint64_t tiled_offset(uint32_t x, uint32_t y, uint64_t tile_row_pitch, uint32_t bytes,
                                uint32_t samples = 1, uint32_t sample = 0) {
  const uint64_t tile = uint64_t{x / kTileSize} * (kTileSize * kTileSize) * bytes * samples;
  const uint32_t sector = (y % kTileSize) / kSectorSize * 2 + (x % kTileSize) / kSectorSize;
  const uint32_t inside = (y % kSectorSize) * kSectorSize + x % kSectorSize;
  return uint64_t{y / kTileSize} * tile_row_pitch + tile +
         uint64_t{sample * (kTileSize * kTileSize) + sector * 16 + inside} * bytes;
}

// Address of an element (in BC formats: of a block). x, y, z are in elements of the level; layer counts from
// the image's first. The caller must clamp them to the level.
Address element_address(const Surface& surface, const LevelLayout& level, uint32_t x, uint32_t y, uint32_t z,
                        uint32_t layer, uint32_t sample = 0);

}  // namespace cutaway::arch
