#include "boxes/fragment_generation/hilbert.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "boxes/fragment_generation/walk_for_test.h"

namespace cutaway::boxes::hilbert_test {
namespace {

ScanOrderOptions blocks_of(unsigned pixels) {
  ScanOrderOptions options;
  options.block = pixels;
  return options;
}

// The curve of second order, drawn by hand.
TEST(Hilbert, DescendsAlongTheCurve) {
  Hilbert order(blocks_of(64));
  EXPECT_EQ(descend(order, {0, 0, 24, 24}), (Walk{{0, 0},
                                                  {8, 0},
                                                  {8, 8},
                                                  {0, 8},
                                                  {0, 16},
                                                  {0, 24},
                                                  {8, 24},
                                                  {8, 16},
                                                  {16, 16},
                                                  {16, 24},
                                                  {24, 24},
                                                  {24, 16},
                                                  {24, 8},
                                                  {16, 8},
                                                  {16, 0},
                                                  {24, 0}}));
}

// Successive tiles share an edge within a block, and from a largest block to the next one on its right.
TEST(Hilbert, EachTileIsNextToTheOneBefore) {
  for (unsigned block : {16u, 32u, 64u, 128u, 256u}) {
    Hilbert order(blocks_of(block));
    const auto size = static_cast<int32_t>(block);
    const Walk tiles = descend(order, {0, 0, 3 * size - 8, size - 8});
    EXPECT_EQ(tiles.size(), 3u * (block / 8) * (block / 8));
    for (size_t i = 1; i < tiles.size(); i++)
      EXPECT_EQ(
          std::abs(tiles[i].first - tiles[i - 1].first) + std::abs(tiles[i].second - tiles[i - 1].second), 8)
          << block << ", tile " << i;
  }
}

TEST(Hilbert, VisitsEveryTileOnce) {
  expect_descent_visits_once([](unsigned i) { return std::make_unique<Hilbert>(blocks_of(16u << i % 9)); });
}

}  // namespace
}  // namespace cutaway::boxes::hilbert_test
