#include "messages/pool.h"

#include <gtest/gtest.h>

namespace cutaway::messages {
namespace {

struct Payload {
  int recycled = 0;

  void recycle() { recycled++; }
};

TEST(PoolRef, TheLastReferenceReturnsThePayload) {
  Pool<Payload> pool;
  PoolRef<Payload> first = pool.allocate();
  Payload& payload = *first;
  {
    const PoolRef<Payload> second = first;
    first = {};
    EXPECT_EQ(payload.recycled, 0);
    EXPECT_FALSE(first);
  }
  EXPECT_EQ(payload.recycled, 1);
  EXPECT_EQ(&*pool.allocate(), &payload);
}

TEST(PoolRef, AssignmentReleasesWhatWasHeld) {
  Pool<Payload> pool;
  PoolRef<Payload> a = pool.allocate(), b = pool.allocate();
  Payload &of_a = *a, &of_b = *b;
  a = b;
  EXPECT_EQ(of_a.recycled, 1);
  EXPECT_TRUE(a == b);
  PoolRef<Payload> c = pool.allocate();
  Payload& of_c = *c;  // that of a before
  c = std::move(a);
  EXPECT_EQ(of_c.recycled, 2);
  EXPECT_FALSE(a);
  b = {};
  EXPECT_EQ(of_b.recycled, 0);
  c = {};
  EXPECT_EQ(of_b.recycled, 1);
}

TEST(PoolRef, SurvivesAssignmentToItself) {
  Pool<Payload> pool;
  PoolRef<Payload> a = pool.allocate();
  PoolRef<Payload>& same = a;
  a = same;
  a = std::move(same);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->recycled, 0);
}

}  // namespace
}  // namespace cutaway::messages
