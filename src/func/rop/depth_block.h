#pragma once

#include <cstddef>
#include <cstdint>

// Lossless compression of a block of depths and stencils: an 8x8 tile of 32-bit elements in memory order, 256
// bytes in four sectors of 4x4 (arch/surface.h). A compressed block has up to four planes and, for each
// pixel, the number of its plane and its correction, modulo the depth's range, so that nothing can overflow.
// A compressed block describes itself: expanding needs no other data.
namespace cutaway::func {

constexpr uint32_t kDepthBlockBytes = 256, kPackedDepthBytes = 128;  // upper bounds

// depth_bits: 24 (the upper 8 bits are a stencil, with at most two values in a compressed block) or 32 (depth
// only, integers or floats). Returns the number of 64-byte sectors that the block needs: 1 or 2, which are
// written, or 4 if it cannot be compressed, in which case nothing is written.
uint32_t pack_depth_block(const std::byte* block, uint32_t depth_bits, std::byte* packed);

// packed: kPackedDepthBytes, of which it reads as many as the block needs. Invalid bytes give an arbitrary
// block.
void unpack_depth_block(const std::byte* packed, std::byte* block);

}  // namespace cutaway::func
