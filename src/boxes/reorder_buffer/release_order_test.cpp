#include "boxes/reorder_buffer/release_order.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::release_order_test {
namespace {

messages::ReorderEntry entry(uint32_t draw, uint32_t primitive, bool end = false) {
  return {.origin = {.draw = draw, .primitive = primitive}, .draw_end = end};
}

TEST(ReleaseOrder, OfQuadsLetsNoneLeaveBeforeItsTurn) {
  const auto order = ReleaseOrders::make("quads");
  EXPECT_FALSE(order->beside(entry(1, 5), entry(1, 5)));
}

TEST(ReleaseOrder, OfPrimitivesLetsThoseOfTheOldestLeave) {
  const auto order = ReleaseOrders::make("primitives");
  EXPECT_TRUE(order->beside(entry(1, 5), entry(1, 5)));
  EXPECT_FALSE(order->beside(entry(1, 5), entry(1, 6)));
  EXPECT_FALSE(order->beside(entry(1, 5), entry(2, 5)));
  EXPECT_FALSE(order->beside(entry(1, 5), entry(1, 5, true)));
  EXPECT_FALSE(order->beside(entry(1, 5, true), entry(1, 5)));
}

}  // namespace
}  // namespace cutaway::boxes::release_order_test
