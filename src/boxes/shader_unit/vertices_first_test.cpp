#include "boxes/shader_unit/vertices_first.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::vertices_first_test {
namespace {

TEST(VerticesFirst, WhatFeedsTheRasteriserGoesBeforeOlderGroups) {
  VerticesFirst scheduler(100);
  structures::IndexSet ready(100);
  std::vector<engine::Cycle> time(100, 0);
  EXPECT_EQ(scheduler.pick(1, ready, time), GroupScheduler::kNone);
  scheduler.admitted(80, false), scheduler.admitted(3, false), scheduler.admitted(64, true);
  scheduler.admitted(7, true);
  for (const uint32_t group : {80u, 3u, 64u, 7u}) ready.insert(group);
  for (const uint32_t next : {64u, 7u, 80u, 3u}) {
    EXPECT_EQ(scheduler.pick(1, ready, time), next);
    ready.erase(next);
  }
  for (const uint32_t group : {80u, 3u, 64u}) ready.insert(group);
  time[64] = 6;
  EXPECT_EQ(scheduler.pick(5, ready, time), 80u);
  EXPECT_EQ(scheduler.pick(6, ready, time), 64u);
  time[80] = time[3] = time[64] = 9;
  EXPECT_EQ(scheduler.pick(8, ready, time), GroupScheduler::kNone);
}

}  // namespace
}  // namespace cutaway::boxes::vertices_first_test
