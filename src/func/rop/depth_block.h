#pragma once

#include <cstddef>
#include <cstdint>

// Lossless compression of a block of depths, with their stencils: an 8x8 tile of 32-bit elements as it lies
// in memory, 256 bytes in four sectors of 4x4 (arch/surface.h). Up to four planes, of each pixel the number
// of its plane and how far it lies off that, all modulo the depth's range, so that nothing can overflow.
// What a compressed block says of itself is enough to expand it.
namespace cutaway::func {

constexpr uint32_t kDepthBlockBytes = 256, kPackedDepthBytes = 128;  // at the most

// depth_bits: 24, the upper 8 bits are a stencil, of which a compressed block has two values at the most; or
// 32, depths alone, integers or floats. Returns the sectors of 64 bytes that the block needs: 1 or 2, which
// are written; 4: it is not compressed, and nothing is written.
uint32_t pack_depth_block(const std::byte* block, uint32_t depth_bits, std::byte* packed);

// packed: kPackedDepthBytes, of which it reads what the block needs. Of bytes that no packing gives, some
// block.
void unpack_depth_block(const std::byte* packed, std::byte* block);

}  // namespace cutaway::func
