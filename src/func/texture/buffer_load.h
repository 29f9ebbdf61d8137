#pragma once

#include <algorithm>
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

// Words from byte on that a load of components `mask` asks for: up to its highest one.
inline uint32_t words_of_load(uint32_t mask) {
  return 32 - static_cast<uint32_t>(std::countl_zero(mask & 15));
}

// Returns how many of `words` words from byte on, a multiple of 4, lie in the buffer.
inline uint32_t words_to_load(const arch::Surface& buffer, uint32_t byte, uint32_t words) {
  if (buffer.surface_type() != arch::SurfaceType::kRawBuffer || byte >= buffer.width) return 0;
  return std::min((buffer.width - byte - 1) / 4 + 1, words);
}

// Byte offsets are source 0.x, unsigned, rounded down to a multiple of 4.
inline BufferLoad plan_buffer_load(const arch::Surface& buffer, const uint32_t byte_offset[kQuadLanes],
                                   uint32_t component_mask, uint32_t lane_mask) {
  BufferLoad plan;
  plan.mask = component_mask & 15;
  const uint32_t most = words_of_load(plan.mask);
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    if (!(lane_mask >> lane & 1)) continue;
    const uint32_t byte = byte_offset[lane] & ~3u;
    plan.words[lane] = static_cast<uint8_t>(words_to_load(buffer, byte, most));
    if (plan.words[lane]) plan.address[lane] = buffer.address + byte;
  }
  return plan;
}

// words: plan.words[lane] words. Writes the components [component][lane] of one lane; components outside the
// mask get zeros.
inline void finish_buffer_load(const BufferLoad& plan, uint32_t lane, const std::byte* words,
                               uint32_t result[4][kQuadLanes]) {
  for (uint32_t c = 0; c < 4; c++) {
    uint32_t value = 0;
    if (c < plan.words[lane] && (plan.mask >> c & 1)) std::memcpy(&value, words + 4 * c, 4);
    result[c][lane] = value;
  }
}

}  // namespace cutaway::func
