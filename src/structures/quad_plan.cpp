#include "structures/quad_plan.h"

#include "messages/memory_message.h"

namespace cutaway::structures {

QuadPlan plan_quad(const func::TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes,
                   uint32_t sample) {
  QuadPlan plan;
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (!(mask >> lane & 1)) continue;
    const arch::Address address =
        view.address(static_cast<uint32_t>(x) + (lane & 1), static_cast<uint32_t>(y) + (lane >> 1), sample);
    uint8_t piece = 0;
    while (piece < plan.pieces && address - plan.piece[piece].address >= line_bytes) piece++;
    if (piece == plan.pieces) plan.piece[plan.pieces++].address = address / line_bytes * line_bytes;
    const uint32_t offset = static_cast<uint32_t>(address - plan.piece[piece].address);
    plan.lane_piece[lane] = piece;
    plan.lane_offset[lane] = static_cast<uint16_t>(offset);
    for (uint32_t s = offset / messages::kSectorBytes;
         s <= (offset + view.bytes - 1) / messages::kSectorBytes; s++)
      plan.piece[piece].sectors |= 1u << s;
  }
  return plan;
}

}  // namespace cutaway::structures
