#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/format.h"

// Converts elements of formats to four 32-bit components and back. Components of integer formats are
// integers, those of all other formats are the bits of floats. Pure functions; numeric.h has the rounding.
namespace cutaway::func {

constexpr uint32_t kMaxTexelBytes = 16;

// Layouts with a fast path. A format's FormatInfo and layout are looked up once, when a descriptor is loaded.
enum class TexelLayout : uint8_t {
  kGeneric,
  kRgba8Unorm,
  kBgra8Unorm,
  kRgba8Srgb,
  kBgra8Srgb,
  kR8Unorm,
  kRg8Unorm,
  kRgba16Float,
  kFloat32,  // 1 to 4 floats
  kBc1Rgb,   // blocks: see block.h
  kBc1Rgba,
  kBc2,
  kBc3,
  kBc4,
  kBc5,
  kBc6h,
  kBc7,
  kNone,  // cannot be decoded: 64-bit and undefined formats
};
TexelLayout texel_layout(const arch::FormatInfo& format);

// Reads format.bytes bytes of `element`. Absent components give 0, 0, 0, 1 (of the format's type). Formats
// with depth return it in R; S8 returns stencil, an integer, in R. Blocks and TexelLayout::kNone give 0, 0,
// 0, 1.
void decode_texel(const arch::FormatInfo& format, TexelLayout layout, const std::byte* element,
                  uint32_t out[4]);
void decode_texel(const arch::FormatInfo& format, const std::byte* element, uint32_t out[4]);

// Writes format.bytes bytes. Clamps to the format's range; NaN gives 0 if the format has no NaN. Formats with
// depth and stencil take depth in R, stencil in G. Blocks and TexelLayout::kNone write zeros.
void encode_texel(const arch::FormatInfo& format, TexelLayout layout, const uint32_t in[4],
                  std::byte* element);
void encode_texel(const arch::FormatInfo& format, const uint32_t in[4], std::byte* element);

// Uses of a format that the units support; the only source of the driver's format table.
bool can_sample(const arch::FormatInfo& format);         // by the texture unit, at all
bool can_filter(const arch::FormatInfo& format);         // linear filtering
bool can_render(const arch::FormatInfo& format);         // color target
bool can_blend(const arch::FormatInfo& format);          // color target with blending
bool can_depth_stencil(const arch::FormatInfo& format);  // depth and stencil target
bool can_vertex(const arch::FormatInfo& format);         // vertex attribute
bool can_texel_buffer(const arch::FormatInfo& format);   // uniform texel buffer
bool can_scan_out(const arch::FormatInfo& format);       // DAC

}  // namespace cutaway::func
