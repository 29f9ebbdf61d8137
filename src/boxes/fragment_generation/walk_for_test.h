#pragma once

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "boxes/fragment_generation/scan_order.h"

// Helpers for tests of scan orders.
namespace cutaway::boxes {

using Walk = std::vector<std::pair<int32_t, int32_t>>;

inline Walk walk(ScanOrder& order, const TileRect& rect) {
  Walk tiles;
  order.start(rect);
  do tiles.emplace_back(order.x(), order.y());
  while (order.next() && tiles.size() < 100000);
  return tiles;
}

// make(i): the order to test with the i-th rectangle.
template <class Make>
void expect_every_tile_once(Make&& make) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 200; i++) {
    TileRect rect;
    rect.left = 8 * static_cast<int32_t>(random() % 40), rect.top = 8 * static_cast<int32_t>(random() % 40);
    rect.right = rect.left + 8 * static_cast<int32_t>(random() % 20);
    rect.bottom = rect.top + 8 * static_cast<int32_t>(random() % 20);
    const auto order = make(i);
    const Walk tiles = walk(*order, rect);
    std::set<std::pair<int32_t, int32_t>> expected;
    for (int32_t y = rect.top; y <= rect.bottom; y += 8)
      for (int32_t x = rect.left; x <= rect.right; x += 8) expected.emplace(x, y);
    EXPECT_EQ(tiles.size(), expected.size()) << i;
    EXPECT_EQ((std::set<std::pair<int32_t, int32_t>>(tiles.begin(), tiles.end())), expected) << i;
  }
}

}  // namespace cutaway::boxes
