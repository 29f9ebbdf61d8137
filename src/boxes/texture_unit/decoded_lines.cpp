#include "boxes/texture_unit/decoded_lines.h"

#include <cstring>

#include "base/error.h"

namespace cutaway::boxes {

namespace {

using messages::ByteMask;
using messages::kSectorBytes;

// Bytes of the sector's beginning and end that were asked for are in the reply's tag: memory may bring more.
constexpr uint32_t kTagBits = 20, kHalfBytes = kSectorBytes / 2;
constexpr ByteMask kLowerHalf = messages::byte_mask(0, kHalfBytes);

uint32_t halves_of(ByteMask mask) {
  return static_cast<uint32_t>((mask & kLowerHalf) != 0) | static_cast<uint32_t>((mask & ~kLowerHalf) != 0)
                                                               << 1;
}
ByteMask mask_of(uint32_t halves) { return (halves & 1 ? kLowerHalf : 0) | (halves & 2 ? ~kLowerHalf : 0); }

uint32_t decoded_texel_bytes(const func::TextureView& view) {
  if (view.layout == func::TexelLayout::kBc4) return 2;
  const bool is_srgb = view.format->kind == arch::NumericKind::kSrgb;
  const bool wide = is_srgb || view.layout == func::TexelLayout::kBc6h;
  return wide ? 8 : 4;
}

}  // namespace

uint32_t expansion_of(const func::TextureView& view) {
  if (!view.valid) return 0;
  const bool is_srgb = view.format->kind == arch::NumericKind::kSrgb;
  if (!view.block_format) return is_srgb;
  return static_cast<uint32_t>(std::countr_zero(16 * decoded_texel_bytes(view) / view.texel_bytes));
}

messages::MemoryRequest source_request(const messages::MemoryRequest& of_line) {
  messages::MemoryRequest request = of_line;
  const uint32_t expansion = DecodedPlace::expansion(of_line.address);
  if (!expansion) return request;
  CUTAWAY_CHECK(!(of_line.tag >> kTagBits));
  const uint32_t halves = halves_of(of_line.mask);
  const arch::Address first =
      DecodedPlace::source(of_line.address) + (halves == 2 ? kHalfBytes >> expansion : 0);
  request.address = first & ~arch::Address{kSectorBytes - 1};
  request.mask = messages::byte_mask(static_cast<uint32_t>(first % kSectorBytes),
                                     (halves == 3 ? kSectorBytes : kHalfBytes) >> expansion);
  request.tag |= halves << kTagBits;
  return request;
}

uint32_t tag_in_cache(uint32_t tag) { return tag & ((1u << kTagBits) - 1); }

messages::MemoryReply decoded_reply(const messages::MemoryReply& reply, arch::Address place, uint32_t grain) {
  const uint32_t expansion = DecodedPlace::expansion(place);
  if (!expansion) return reply;
  messages::MemoryReply decoded;
  decoded.tag = tag_in_cache(reply.tag);
  decoded.mapped = reply.mapped;
  decoded.mask = mask_of(reply.tag >> kTagBits);
  const auto first = static_cast<uint32_t>(DecodedPlace::source(place) % kSectorBytes);
  const uint32_t bytes = grain >> expansion;
  for (uint32_t at = 0; at < kSectorBytes; at += grain)
    if (decoded.mask >> at & 1)
      std::memcpy(decoded.data.data() + at, reply.data.data() + first + (at >> expansion), bytes);
  return decoded;
}

}  // namespace cutaway::boxes
