#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "func/texture/sample.h"

// LDB: loads 1 to 4 consecutive words of a raw buffer for each lane. Component c of the destination's mask
// reads the word at byte + 4 c. Words whose first byte is beyond the buffer read as zeros (DX-3).
namespace cutaway::func {

struct BufferLoad {
  arch::Address address[kQuadLanes] = {};  // of the first word
  uint8_t words[kQuadLanes] = {};          // number of words to fetch from address: up to the highest
                                           // component in bounds
  uint8_t mask = 0;                        // components
};

// Byte offsets are source 0.x, unsigned, rounded down to a multiple of 4.
inline BufferLoad plan_buffer_load(const arch::Surface& buffer, const uint32_t byte_offset[kQuadLanes],
                                   uint32_t component_mask, uint32_t lane_mask) {
  BufferLoad plan;
  plan.mask = component_mask & 15;
  if (buffer.surface_type() != arch::SurfaceType::kRawBuffer || plan.mask == 0) return plan;
  const uint32_t most = 32 - static_cast<uint32_t>(std::countl_zero(uint32_t{plan.mask}));
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    const uint32_t offset = byte_offset[lane] & ~3u;
    if (!(lane_mask >> lane & 1) || offset >= buffer.width) continue;
    const uint32_t available = (buffer.width - offset - 1) / 4 + 1;
    plan.address[lane] = buffer.address + offset;
    plan.words[lane] = static_cast<uint8_t>(available < most ? available : most);
  }
  return plan;
}

// words: plan.words[lane] words. Writes the components of one lane; components outside the mask get zeros.
inline void finish_buffer_load(const BufferLoad& plan, uint32_t lane, const std::byte* words,
                               QuadResult& result) {
  for (uint32_t c = 0; c < 4; c++) {
    uint32_t value = 0;
    if (c < plan.words[lane] && (plan.mask >> c & 1)) std::memcpy(&value, words + 4 * c, 4);
    result.value[c][lane] = value;
  }
}

}  // namespace cutaway::func
