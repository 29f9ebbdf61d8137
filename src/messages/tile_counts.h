#pragma once

#include <cstdint>
#include <vector>

namespace cutaway::messages {

// Counts of a tile of 8x8 pixels: fragments, or samples where counters count samples and a pixel has several.
struct TileCount {
  uint32_t generated = 0;         // fragments
  uint32_t killed_hz = 0;         // before Z and stencil memory is read
  uint32_t killed_stencil = 0;    // by the stencil test, before or after shading
  uint32_t killed_z = 0;          // by the subsequent depth or depth bounds test, before or after shading
  uint32_t killed_shader = 0;     // by their program
  uint32_t shaded = 0;            // lanes that shade fragments
  uint32_t helpers = 0;           // additional lanes for derivatives
  uint32_t shader_cycles = 0;     // issue cycles of their groups, divided among the quads of each
  uint32_t texture_requests = 0;  // quads sent to a texture unit
  uint32_t texture_misses = 0;    // of lines in its cache
  uint32_t written = 0;           // samples, once per target
  uint64_t last_write = 0;        // cycle of the core's clock; 0: never
};

// The tiles of a pass's targets.
class TileCounts {
 public:
  static constexpr uint32_t kTile = 8;

  TileCounts(uint32_t width, uint32_t height)  // pixels
      : columns_((width + kTile - 1) / kTile),
        rows_((height + kTile - 1) / kTile),
        tiles_(size_t{columns_} * rows_ + 1) {}

  // The tile of a pixel. Pixels outside share an entry that is not reported.
  TileCount& at(int32_t x, int32_t y) {
    const uint32_t column = static_cast<uint32_t>(x) / kTile, row = static_cast<uint32_t>(y) / kTile;
    const bool inside = column < columns_ && row < rows_;
    return tiles_[inside ? size_t{row} * columns_ + column : tiles_.size() - 1];
  }
  uint32_t columns() const { return columns_; }
  uint32_t rows() const { return rows_; }
  const TileCount& tile(uint32_t column, uint32_t row) const {
    return tiles_[size_t{row} * columns_ + column];
  }

 private:
  uint32_t columns_, rows_;
  std::vector<TileCount> tiles_;  // plus one for pixels outside
};

}  // namespace cutaway::messages
