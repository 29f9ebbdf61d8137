#include "structures/quad_plan.h"

#include "messages/memory_message.h"

namespace cutaway::structures {

QuadPlan plan_quad(const func::TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes,
                   uint32_t sample) {
  QuadPlan plan;
  for (uint32_t row = 0; row < 2; row++) {
    if (!(mask >> 2 * row & 3)) continue;
    // x is even, so the row's second element follows its first.
    const arch::Address left = view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y) + row, sample);
    for (uint32_t lane = 2 * row; lane < 2 * row + 2; lane++) {
      if (!(mask >> lane & 1)) continue;
      const arch::Address address = left + (lane & 1) * view.bytes;
      uint8_t piece = 0;
      while (piece < plan.pieces && address - plan.piece[piece].address >= line_bytes) piece++;
      if (piece == plan.pieces) plan.piece[plan.pieces++].address = address / line_bytes * line_bytes;
      const auto offset = static_cast<uint32_t>(address - plan.piece[piece].address);
      plan.lane_piece[lane] = piece;
      plan.lane_offset[lane] = static_cast<uint16_t>(offset);
      const uint32_t first = offset / messages::kSectorBytes,
                     last = (offset + view.bytes - 1) / messages::kSectorBytes;
      plan.piece[piece].sectors |= (2u << last) - (1u << first);
    }
  }
  return plan;
}

}  // namespace cutaway::structures
