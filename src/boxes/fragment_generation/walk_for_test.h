#pragma once

#include <gtest/gtest.h>
#include <memory>
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

// A rectangle of up to `most` tiles a side whose upper left tile has a column and a row below `corner`.
inline TileRect random_rect(std::mt19937& random, uint32_t corner, uint32_t most) {
  const auto below = [&](uint32_t limit) { return 8 * static_cast<int32_t>(random() % limit); };
  TileRect rect;
  rect.left = below(corner), rect.top = below(corner);
  rect.right = rect.left + below(most);
  rect.bottom = rect.top + below(most);
  return rect;
}

// make(i): the order to test with the i-th rectangle.
template <class Make>
void expect_every_tile_once(Make&& make) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 200; i++) {
    const TileRect rect = random_rect(random, 40, 20);
    const auto order = make(i);
    const Walk tiles = walk(*order, rect);
    std::set<std::pair<int32_t, int32_t>> expected;
    for (int32_t y = rect.top; y <= rect.bottom; y += 8)
      for (int32_t x = rect.left; x <= rect.right; x += 8) expected.emplace(x, y);
    EXPECT_EQ(tiles.size(), expected.size()) << i;
    EXPECT_EQ((std::set<std::pair<int32_t, int32_t>>(tiles.begin(), tiles.end())), expected) << i;
  }
}

inline bool meets(const TileRect& rect, int32_t x, int32_t y, int32_t size) {
  return x <= rect.right && x + size > rect.left && y <= rect.bottom && y + size > rect.top;
}

// The tiles that a descent visits, also outside the rectangle; it enters the blocks that intersect it.
inline Walk descend(ScanOrder& order, const TileRect& rect) {
  Walk tiles;
  order.start(rect);
  do
    if (order.size() == 8) tiles.emplace_back(order.x(), order.y());
    else if (meets(rect, order.x(), order.y(), order.size())) order.enter(0);
  while (order.next() && tiles.size() < 100000);
  return tiles;
}

// make(i): the descent to test with the i-th rectangle.
template <class Make>
void expect_descent_visits_once(Make&& make) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 300; i++) {
    const TileRect rect = random_rect(random, 60, 40);
    const auto order = make(i);
    const Walk tiles = descend(*order, rect);
    const std::set<std::pair<int32_t, int32_t>> visited(tiles.begin(), tiles.end());
    EXPECT_EQ(visited.size(), tiles.size()) << "twice";
    size_t inside = 0;
    for (const auto& [x, y] : visited) inside += meets(rect, x, y, 8);
    EXPECT_EQ(inside, static_cast<size_t>((rect.right - rect.left) / 8 + 1) *
                          static_cast<size_t>((rect.bottom - rect.top) / 8 + 1))
        << i;
  }
}

}  // namespace cutaway::boxes
