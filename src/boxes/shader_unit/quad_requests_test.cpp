#include "boxes/shader_unit/quad_requests.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::quad_requests_test {
namespace {

TEST(QuadRequests, TheFirstLeavesInItsCycleAndNotBefore) {
  QuadRequests requests(4);
  EXPECT_FALSE(requests.waiting());
  EXPECT_FALSE(requests.due(100));
  requests.ask(2, 0, 0xf, 10);
  EXPECT_TRUE(requests.waiting());
  EXPECT_EQ(requests.leaves(), 10u);
  EXPECT_FALSE(requests.due(9));
  EXPECT_TRUE(requests.due(10));
}

TEST(QuadRequests, OnlyQuadsWithActiveLanesAsk) {
  QuadRequests requests(4);
  requests.ask(1, 0, 0x8010'0200, 1);
  for (const uint32_t quad : {2u, 5u, 7u}) {
    EXPECT_EQ(requests.group(), 1u);
    EXPECT_EQ(requests.quad(), quad);
    EXPECT_EQ(requests.sent(), quad == 7);
  }
  EXPECT_FALSE(requests.waiting());
}

TEST(QuadRequests, GroupsSendInTheOrderInWhichTheyAsked) {
  QuadRequests requests(4);
  requests.ask(3, 0, 0xff, 5);
  requests.ask(0, 0, 0xf, 1);  // could leave earlier
  EXPECT_FALSE(requests.due(4));
  EXPECT_EQ(requests.group(), 3u);
  EXPECT_FALSE(requests.sent());
  EXPECT_EQ(requests.group(), 3u);
  EXPECT_TRUE(requests.sent());
  EXPECT_EQ(requests.group(), 0u);
  EXPECT_TRUE(requests.due(1));
}

// Answers may come in any order, and before the last request has left.
TEST(QuadRequests, TheLastMissingAnswerCompletesTheGroup) {
  QuadRequests requests(4);
  requests.ask(0, 0, 0xfff, 1);
  requests.sent();
  requests.sent();
  EXPECT_FALSE(requests.answered(0, 0, 1));
  requests.sent();
  EXPECT_FALSE(requests.answered(0, 0, 2));
  EXPECT_TRUE(requests.answered(0, 0, 0));
}

// Quads 1, 2 and 3 are in the run of four that begins the group, 4 and 7 in the next.
TEST(QuadRequests, QuadsOfARunLeaveTogether) {
  QuadRequests requests(1);
  requests.ask(0, 0, 0xf00f'fff0, 1);
  EXPECT_EQ(requests.together(1), 1u);
  EXPECT_EQ(requests.together(2), 1u);
  EXPECT_EQ(requests.together(4), 3u);
  requests.sent();
  EXPECT_EQ(requests.together(2), 2u);
  EXPECT_EQ(requests.together(4), 2u);
  requests.sent(), requests.sent();
  EXPECT_EQ(requests.quad(), 4u);
  EXPECT_EQ(requests.together(4), 2u);
}

// A group of 64 lanes has 16 quads.
TEST(QuadRequests, AllQuadsOfTheLargestGroupAsk) {
  QuadRequests requests(1);
  requests.ask(0, 0, ~uint64_t{0}, 1);
  for (uint32_t quad = 0; quad < 16; quad++) {
    EXPECT_EQ(requests.quad(), quad);
    EXPECT_EQ(requests.sent(), quad == 15);
  }
}

}  // namespace
}  // namespace cutaway::boxes::quad_requests_test
