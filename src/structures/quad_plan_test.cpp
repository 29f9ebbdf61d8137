#include "structures/quad_plan.h"

#include <gtest/gtest.h>

#include "messages/memory_message.h"

namespace cutaway::structures {
namespace {

// Every lane of the mask lies at its element's address, and its sectors are among those of its piece.
void check(const func::TargetView& view, uint32_t mask, uint32_t line_bytes, uint32_t sample) {
  for (uint32_t y = 0; y < view.height; y += 2)
    for (uint32_t x = 0; x < view.width; x += 2) {
      const QuadPlan plan =
          plan_quad(view, static_cast<int32_t>(x), static_cast<int32_t>(y), mask, line_bytes, sample);
      uint32_t sectors[4] = {};
      for (uint32_t lane = 0; lane < 4; lane++) {
        if (!(mask >> lane & 1)) continue;
        ASSERT_LT(plan.lane_piece[lane], plan.pieces);
        const QuadPlan::Piece& piece = plan.piece[plan.lane_piece[lane]];
        const uint32_t first = plan.lane_offset[lane], last = first + view.bytes - 1;
        ASSERT_EQ(piece.address + first, view.address(x + lane % 2, y + lane / 2, sample));
        ASSERT_EQ(piece.address % line_bytes, 0u);
        for (uint32_t at = first; at <= last; at++)
          sectors[plan.lane_piece[lane]] |= 1u << at / messages::kSectorBytes;
      }
      for (uint32_t i = 0; i < plan.pieces; i++) ASSERT_EQ(plan.piece[i].sectors, sectors[i]);
    }
}

TEST(QuadPlan, HasEveryLaneAtItsAddress) {
  for (const bool tiled : {false, true})
    for (const uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
      for (const uint32_t line_bytes : {64u, 256u, 512u})
        for (const uint32_t samples : {1u, 4u}) {
          if (samples > 1 && !tiled) continue;
          const func::TargetView view{.base = 1 << 20,
                                      .row_pitch = tiled ? 3 * 64 * bytes * samples : 24 * bytes,
                                      .bytes = bytes,
                                      .width = 24,
                                      .height = 16,
                                      .samples = samples,
                                      .tiled = tiled};
          for (uint32_t mask = 1; mask < 16; mask++) check(view, mask, line_bytes, samples - 1);
        }
}

TEST(QuadPlan, OfNoLaneHasNoPiece) {
  const func::TargetView view{.bytes = 4, .width = 8, .height = 8, .tiled = true};
  EXPECT_EQ(plan_quad(view, 0, 0, 0, 256).pieces, 0);
}

}  // namespace
}  // namespace cutaway::structures
