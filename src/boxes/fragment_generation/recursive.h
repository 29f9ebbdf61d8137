#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "boxes/fragment_generation/scan_order.h"

namespace cutaway::boxes {

// Recursive descent (ATT-5; McCool, Wales, Moule 2001) from a large block to 8×8 tiles, in Z order or in
// another order of quarters. The four quarters of a block are tested in sequence; then the quarters to be
// entered follow one after the other. The first block is the smallest whose aligned quarters contain the
// bounding box. If even the largest block does not contain it, largest blocks follow one another row by row.
// A bounding box of one tile is that tile.
class Recursive : public ScanOrder {
 public:
  // block: the largest, in pixels per side; a power of 2 from 16 to 4096. cycles: from the test of a quarter
  // to the tests of its own quarters.
  Recursive(unsigned block, unsigned cycles) : largest_(static_cast<int32_t>(block)), cycles_(cycles) {}
  explicit Recursive(const ScanOrderOptions& options) : Recursive(options.block, options.level_cycles) {}

  void start(const TileRect& rect) final;
  bool next() final;
  bool ready(engine::Cycle now) const final { return open_.ready <= now; }
  engine::Cycle ready_at() const final { return open_.ready; }
  void enter(engine::Cycle now) final;
  bool looks_beyond() const final { return true; }

 protected:
  // How a block is walked: its quarters in sequence, as x + 2 × y, and the turn of the walk within each.
  struct Turn {
    std::array<uint8_t, 4> quarters, turns;
  };
  // turns: all that the walk has, the first of them in its first blocks.
  Recursive(const ScanOrderOptions& options, const Turn* turns)
      : largest_(static_cast<int32_t>(options.block)), cycles_(options.level_cycles), turns_(turns) {}

 private:
  static constexpr Turn kZOrder = {{0, 1, 2, 3}, {0, 0, 0, 0}};

  struct Block {
    int32_t x = 0, y = 0, size = 0;
    uint8_t turn = 0;
    engine::Cycle ready = 0;  // earliest cycle for the test of its quarters
  };
  void open(const Block& block);
  void stand_on(int quarter);

  static constexpr size_t kLevels = 9;  // of blocks, 16 to 4096 pixels
  int32_t largest_;
  unsigned cycles_;
  const Turn* turns_ = &kZOrder;
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
