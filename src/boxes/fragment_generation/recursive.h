#pragma once

#include <array>
#include <cstddef>

#include "boxes/fragment_generation/scan_order.h"

namespace cutaway::boxes {

// Recursive descent (ATT-5; McCool, Wales, Moule 2001, here in Z order instead of Hilbert's) from a large
// block to 8×8 tiles. The four quarters of a block are tested one behind the other; then come, one after the
// other, the quarters that are to be entered. The first block is the smallest whose quarters, aligned to
// their size, hold the bounding box; where not even the largest block does, such blocks follow one another
// row by row. A bounding box of one tile is that tile.
class Recursive final : public ScanOrder {
 public:
  // block: the largest, in pixels a side; a power of 2 from 16 to 4096. cycles: from the test of a quarter to
  // those of its own quarters.
  Recursive(unsigned block, unsigned cycles) : largest_(static_cast<int32_t>(block)), cycles_(cycles) {}
  explicit Recursive(const ScanOrderOptions& options) : Recursive(options.block, options.level_cycles) {}

  void start(const TileRect& rect) override;
  bool next() override;
  bool ready(engine::Cycle now) const override { return open_.ready <= now; }
  engine::Cycle ready_at() const override { return open_.ready; }
  void enter(engine::Cycle now) override;
  bool looks_beyond() const override { return true; }

 private:
  struct Block {
    int32_t x = 0, y = 0, size = 0;
    engine::Cycle ready = 0;  // its quarters may be tested
  };
  void open(const Block& block);
  void stand_on(int quarter);

  static constexpr size_t kLevels = 9;  // of blocks, 16 to 4096 pixels
  int32_t largest_;
  unsigned cycles_;
  TileRect rect_;
  Block first_;  // the block, or tile, that the walk began with; of several largest ones: that it is in
  Block open_;
  int quarter_ = 3;
  // To be entered, the next one last: of each level the quarters of one block at most. The last found_ are
  // quarters of open_, in the order of their tests.
  std::array<Block, 4 * kLevels> blocks_;
  size_t held_ = 0, found_ = 0;
};

}  // namespace cutaway::boxes
