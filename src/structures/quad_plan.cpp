#include "structures/quad_plan.h"

#include "base/few_bits.h"
#include "messages/memory_message.h"

namespace cutaway::structures {

namespace {

// The frequent case: all lanes in one sector of a tiled target, whose rows of four elements follow each
// other. False: they are not.
bool plan_in_sector(const func::TargetView& view, int32_t x, int32_t y, uint32_t sample, uint32_t line_bytes,
                    QuadPlan& plan) {
  const arch::Address left = view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y), sample);
  const arch::Address start =
      one_bit(line_bytes) ? left & ~arch::Address{line_bytes - 1} : left / line_bytes * line_bytes;
  const auto offset = static_cast<uint32_t>(left - start);
  const uint32_t below = 4 * view.bytes, end = offset + below + 2 * view.bytes;
  const uint32_t sector = offset / messages::kSectorBytes;
  if (end > line_bytes || (end - 1) / messages::kSectorBytes != sector) return false;
  plan.pieces = 1;
  plan.piece[0] = {start, 1u << sector};
  for (uint32_t lane = 0; lane < 4; lane++)
    plan.lane_offset[lane] = static_cast<uint16_t>(offset + lane / 2 * below + lane % 2 * view.bytes);
  return true;
}

}  // namespace

QuadPlan plan_quad(const func::TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes,
                   uint32_t sample) {
  QuadPlan plan;
  // A quad, whose x is even, is in one of the blocks of 4x4 elements of a tile.
  if (view.tiled && mask && y % 2 == 0 && plan_in_sector(view, x, y, sample, line_bytes, plan)) return plan;
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
