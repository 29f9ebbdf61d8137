#include "boxes/shader_unit/fragment_window.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::fragment_window_test {
namespace {

TEST(FragmentWindow, APlaceIsFreeWhenAllBeforeItHaveLeft) {
  FragmentWindow window(3);
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_TRUE(window.has_room());
    EXPECT_EQ(window.enter(), i);
  }
  EXPECT_FALSE(window.has_room());
  window.leave(1);
  window.leave(2);
  EXPECT_FALSE(window.has_room());
  window.leave(0);
  for (uint32_t i = 3; i < 6; i++) {
    EXPECT_TRUE(window.has_room()) << i;
    EXPECT_EQ(window.enter(), i);
  }
  EXPECT_FALSE(window.has_room());
  window.leave(3);
  EXPECT_TRUE(window.has_room());
}

TEST(FragmentWindow, AllPlacesMayBeLeftAtOnce) {
  FragmentWindow window(FragmentWindow::kMostPlaces);
  for (uint32_t i = 0; i < 64; i++) window.enter();
  EXPECT_FALSE(window.has_room());
  for (uint32_t i = 64; i-- > 0;) window.leave(i);
  for (uint32_t i = 64; i < 128; i++) {
    EXPECT_TRUE(window.has_room());
    window.enter();
  }
  EXPECT_FALSE(window.has_room());
}

TEST(FragmentWindow, WithoutAnEndHasAlwaysRoom) {
  FragmentWindow window(0);
  for (uint32_t i = 0; i < 1000; i++) window.enter();
  window.leave(999);
  window.leave(3);
  EXPECT_TRUE(window.has_room());
}

}  // namespace
}  // namespace cutaway::boxes::fragment_window_test
