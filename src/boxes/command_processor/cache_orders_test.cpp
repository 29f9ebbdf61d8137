#include "boxes/command_processor/cache_orders.h"

#include <gtest/gtest.h>

#include "arch/packet.h"

namespace cutaway::boxes::cache_orders_test {
namespace {

using messages::Control;
using Then = CacheOrders::Then;

// Unit 0 is hierarchical Z, unit 1 holds depth, unit 2 holds color and textures.
struct Orders : CacheOrders {
  Orders() {
    add_unit(arch::kCacheDepth, true);
    add_unit(arch::kCacheDepth, false);
    add_unit(arch::kCacheColor | arch::kCacheTexture, false);
  }
  // The units that get the order.
  std::vector<size_t> to() const {
    std::vector<size_t> units;
    for (size_t i = 0; i < 3; i++)
      if (must_send(i)) units.push_back(i);
    return units;
  }
};
using Units = std::vector<size_t>;

TEST(CacheOrders, GoToUnitsWithANamedCache) {
  Orders orders;
  EXPECT_TRUE(orders.begin({.kind = Control::Kind::kFlush}, arch::kCacheDepth, Then::kPacketEnds));
  EXPECT_EQ(orders.to(), (Units{0, 1}));
  Orders others;
  EXPECT_TRUE(others.begin({.kind = Control::Kind::kFlush}, arch::kCacheColor, Then::kPacketEnds));
  EXPECT_EQ(others.to(), Units{2});
  EXPECT_EQ(others.order().kind, Control::Kind::kFlush);
}

TEST(CacheOrders, GoToACacheBehindAnotherWhenThatHasAnswered) {
  CacheOrders orders;
  orders.add_unit(arch::kCacheTexture, false, 1);
  orders.add_unit(arch::kCacheStorage, false, 1);
  orders.add_unit(arch::kCacheTexture, false);
  ASSERT_TRUE(orders.begin({.kind = Control::Kind::kInvalidate}, arch::kCacheAll, Then::kPacketEnds,
                           arch::QueueKind::kCompute));
  EXPECT_EQ(orders.queue(), arch::QueueKind::kCompute);
  EXPECT_FALSE(orders.must_send(0));
  EXPECT_TRUE(orders.must_send(1)) << "in front of no cache";
  EXPECT_TRUE(orders.must_send(2));
  orders.sent(2);
  EXPECT_FALSE(orders.must_send(0));
  orders.answered(2);
  EXPECT_TRUE(orders.must_send(0));
}

TEST(CacheOrders, EndWithNoUnit) {
  Orders orders;
  EXPECT_FALSE(orders.begin({}, 0, Then::kPacketEnds));
  EXPECT_FALSE(orders.under_way());
  EXPECT_FALSE(orders.end());
}

TEST(CacheOrders, EndWithTheLastAnswer) {
  for (const Then then : {Then::kPacketEnds, Then::kPacketGoesOn}) {
    Orders orders;
    orders.begin({.kind = Control::Kind::kFlush}, arch::kCacheAll, then);
    EXPECT_EQ(orders.waits_for(), 0u);
    for (size_t i = 0; i < 3; i++) {
      orders.sent(i);
      EXPECT_FALSE(orders.must_send(i));
      EXPECT_FALSE(orders.end());
    }
    orders.answered(0);
    orders.answered(2);
    EXPECT_FALSE(orders.end());
    EXPECT_TRUE(orders.under_way());
    EXPECT_EQ(orders.waits_for(), 1u);
    orders.answered(1);
    EXPECT_EQ(orders.end(), then);
    EXPECT_FALSE(orders.under_way());
    EXPECT_FALSE(orders.end());
  }
}

TEST(CacheOrders, InvalidateSparesHzUntilBoundsAreLost) {
  Orders orders;
  const Control invalidate{.kind = Control::Kind::kInvalidate};
  orders.depth.used({0x1000, 0x2000});
  orders.begin(invalidate, arch::kCacheDepth, Then::kPacketEnds);
  EXPECT_EQ(orders.to(), Units{1});
  orders.depth.written({0x1fff, 0x3000});
  orders.begin(invalidate, arch::kCacheColor, Then::kPacketEnds);
  EXPECT_EQ(orders.to(), Units{2});
  EXPECT_TRUE(orders.depth.lost());
  orders.begin(invalidate, arch::kCacheDepth, Then::kPacketEnds);
  EXPECT_EQ(orders.to(), (Units{0, 1}));
  EXPECT_FALSE(orders.depth.lost());
}

TEST(CacheOrders, ForgettingBoundsGoesToHzAlone) {
  Orders orders;
  orders.depth.used({0x1000, 0x2000});
  orders.depth.written({0x1000, 0x1004});
  EXPECT_TRUE(orders.begin_forgetting_bounds({.submission = 9}));
  EXPECT_EQ(orders.to(), Units{0});
  EXPECT_EQ(orders.order().kind, Control::Kind::kInvalidate);
  EXPECT_EQ(orders.order().origin.submission, 9u);
  EXPECT_FALSE(orders.depth.lost());
  orders.sent(0);
  orders.answered(0);
  EXPECT_EQ(orders.end(), Then::kPacketGoesOn);
  CacheOrders none;
  none.add_unit(arch::kCacheDepth, false);
  EXPECT_FALSE(none.begin_forgetting_bounds({}));
}

}  // namespace
}  // namespace cutaway::boxes::cache_orders_test
