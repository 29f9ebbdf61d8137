#include "boxes/fragment_generation/covered_blocks.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cutaway::boxes::covered_blocks_test {
namespace {

struct Block {
  unsigned pixels, width, height;
};
constexpr Block kBlocks[] = {{1, 1, 1}, {4, 2, 2}, {8, 4, 2}, {16, 4, 4}, {32, 8, 4}};

TEST(CoveredBlocks, AWholeTileHasAll) {
  for (const Block& block : kBlocks) EXPECT_EQ(covered_blocks(~0ull, block.pixels), 64 / block.pixels);
}

TEST(CoveredBlocks, CountsBlocksWithAPixel) {
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 200; i++) {
    const uint64_t coverage = i < 64 ? 1ull << i : random() & random() & random() & random();
    for (const Block& block : kBlocks) {
      std::set<unsigned> found;
      for (unsigned bit = 0; bit < 64; bit++)
        if (coverage >> bit & 1) found.insert(bit / 8 / block.height * 8 + bit % 8 / block.width);
      EXPECT_EQ(covered_blocks(coverage, block.pixels), found.size()) << std::hex << coverage;
    }
  }
}

}  // namespace
}  // namespace cutaway::boxes::covered_blocks_test
