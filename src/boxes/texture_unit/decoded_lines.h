#pragma once

#include <bit>
#include <cstdint>

#include "arch/memory.h"
#include "func/texture/texture_view.h"
#include "messages/memory_message.h"

// Lines of a texture cache that holds its texels decoded (DX-4): those of BC blocks and of sRGB formats are
// wider in a line than in memory. The line is found by the place that it would have if memory were as wide,
// and each of its sectors asks for the bytes that it is decoded from.
//
// The bytes of a line are kept as they are in memory, at the beginning of each grain, and are decoded when
// they are filtered: a decoded texel would have the same value.
namespace cutaway::boxes {

// The bytes that an element of the format takes in a line, over those that it takes in memory: 1, 2, 4, 8 or
// 16, as a power of two. Texels of BC1, BC2, BC3 and BC7 take 4 bytes, of BC4 2, of BC5 4, of BC6H 8; those
// of sRGB formats have 16 bits a channel, 8 bytes.
uint32_t expansion_of(const func::TextureView& view);

// The place of a byte of memory in decoded lines: its address, times the expansion, beside the expansion.
class DecodedPlace {
 public:
  static constexpr uint32_t kMostExpansion = 4;  // bits

  static arch::Address of(arch::Address address, uint32_t expansion) {
    if (address >> kSourceBits) address = (address & (kUnmapped - 1)) | kUnmapped;  // of no memory
    return address << expansion | arch::Address{expansion} << kPlaceBits;
  }
  static uint32_t expansion(arch::Address place) { return static_cast<uint32_t>(place >> kPlaceBits); }
  static arch::Address source(arch::Address place) {
    return (place & ((arch::Address{1} << kPlaceBits) - 1)) >> expansion(place);
  }

 private:
  static constexpr uint32_t kSourceBits = 48, kPlaceBits = 56;
  static constexpr arch::Address kUnmapped = arch::Address{1} << (kSourceBits - 1);
  static_assert(kSourceBits - 1 >= arch::kAddressBits && kSourceBits + kMostExpansion <= kPlaceBits);
};

// The request of a sector of such a line, as memory understands it: for the bytes that it is decoded from.
messages::MemoryRequest source_request(const messages::MemoryRequest& of_line);
// The reply to it, as the cache understands it. place: of the line's sector. grain: bytes of a grain.
messages::MemoryReply decoded_reply(const messages::MemoryReply& reply, arch::Address place, uint32_t grain);
// The tag under which the cache knows the request of a reply.
uint32_t tag_in_cache(uint32_t tag);

}  // namespace cutaway::boxes
