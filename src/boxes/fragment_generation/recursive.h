#pragma once

#include <array>
#include <cstddef>

#include "boxes/fragment_generation/scan_order.h"

namespace cutaway::boxes {

// Recursive descent (ATT-5; McCool, Wales, Moule 2001, here in Z order instead of Hilbert order) from a large
// block to 8×8 tiles. The four quarters of a block are tested in sequence; then the quarters to be entered
// follow one after the other. The first block is the smallest whose aligned quarters contain the bounding
// box. If even the largest block does not contain it, largest blocks follow one another row by row. A
// bounding box of one tile is that tile.
class Recursive final : public ScanOrder {
 public:
  // block: the largest, in pixels per side; a power of 2 from 16 to 4096. cycles: from the test of a quarter
  // to the tests of its own quarters.
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
    engine::Cycle ready = 0;  // earliest cycle for the test of its quarters
  };
  void open(const Block& block);
  void stand_on(int quarter);

  static constexpr size_t kLevels = 9;  // of blocks, 16 to 4096 pixels
  int32_t largest_;
  unsigned cycles_;
  TileRect rect_;
  Block first_;  // the first block or tile of the walk; with several largest blocks: the current one
  Block open_;
  int quarter_ = 3;
  // Blocks to enter, the next one last: at most the quarters of one block per level. The last found_ are
  // quarters of open_, in test order.
  std::array<Block, 4 * kLevels> blocks_;
  size_t held_ = 0, found_ = 0;
};

}  // namespace cutaway::boxes
