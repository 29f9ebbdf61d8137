#pragma once

#include <cstddef>
#include <cstdint>

#include "func/format/texel.h"

// Decodes texels of BC blocks (Khronos Data Format Specification, "Compressed Texture Image Formats"; Vulkan
// "Block-Compressed Image Formats"). A block is 4×4 texels in 8 or 16 bytes; each texel is decoded by itself.
//
// BC1 to BC3: end points are expanded to 8 bits a channel; values between them are rounded down to 8 bits.
// BC4 and BC5: the exact value between the end points, rounded once to a float. BC6H and BC7: integers,
// exact.
namespace cutaway::func {

// Reads the block: 8 bytes for BC1 and BC4, 16 for the others. texel: 4 y + x, in the block. layout: the
// format's, one of kBc1Rgb to kBc7. Absent components give 0, 0, 0, 1; reserved modes of BC6H and BC7 give
// zeros.
void decode_block_texel(const arch::FormatInfo& format, TexelLayout layout, const std::byte* block,
                        uint32_t texel, uint32_t out[4]);

// The same as 8-bit codes, R in the lowest byte: for BC1, BC2, BC3 and BC7.
uint32_t decode_block_bytes(TexelLayout layout, const std::byte* block, uint32_t texel);

// decode_block_bytes() of all texels.
void decode_whole_block(TexelLayout layout, const std::byte* block, uint32_t out[16]);

// Components that the format has; the others are constants.
uint32_t block_components(TexelLayout layout);

// Halves of R, G and B.
void decode_bc6h(const std::byte* block, uint32_t texel, bool is_signed, uint16_t out[3]);
// Bytes of R, G, B and A.
void decode_bc7(const std::byte* block, uint32_t texel, uint8_t out[4]);

// Helpers shared by BC6H and BC7.

// 128 bits; bit 0 is the lowest bit of the first byte.
struct BlockBits {
  uint64_t word[2];

  explicit BlockBits(const std::byte* block);
  uint32_t bits(uint32_t first, uint32_t count) const;  // count up to 16
};

// The subset of a texel, for each of the 64 ways to divide a block into 2 or 3 subsets.
uint32_t block_subset(uint32_t subsets, uint32_t partition, uint32_t texel);
// The anchor texel of a subset: its index has one bit less, because the highest bit is zero.
uint32_t block_anchor(uint32_t subsets, uint32_t partition, uint32_t subset);
// First bit and width of a texel's index, for indices of `bits` bits that begin at bit `first`.
struct BlockIndex {
  uint32_t first, bits;
};
BlockIndex block_index(uint32_t first, uint32_t bits, uint32_t subsets, uint32_t partition, uint32_t texel);
// Weight of the second end point, in 1/64, for an index of 2 to 4 bits.
uint32_t block_weight(uint32_t bits, uint32_t index);

}  // namespace cutaway::func
