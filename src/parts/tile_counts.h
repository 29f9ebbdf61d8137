#pragma once

#include <cstdint>
#include <vector>

namespace cutaway::parts {

// What happened to the fragments of a tile of 8x8 pixels; with several samples a pixel where counters count
// samples, samples.
struct TileCount {
  uint32_t generated = 0;         // fragments
  uint32_t killed_hz = 0;         // before Z and stencil memory is read
  uint32_t killed_stencil = 0;    // by the stencil test, before or after shading
  uint32_t killed_z = 0;          // by the depth or depth bounds test that follows, before or after shading
  uint32_t killed_shader = 0;     // by their program
  uint32_t shaded = 0;            // lanes of programs that stand for fragments
  uint32_t helpers = 0;           // lanes beside them that are there for derivatives
  uint32_t shader_cycles = 0;     // issue cycles of their groups, shared out over the quads of each
  uint32_t texture_requests = 0;  // quads sent to a texture unit
  uint32_t texture_misses = 0;    // lines of its cache
  uint32_t written = 0;           // samples, once for each target
  uint64_t last_write = 0;        // cycle of the core's clock; 0: never
};

// The tiles of what a pass draws to.
class TileCounts {
 public:
  static constexpr uint32_t kTile = 8;

  TileCounts(uint32_t width, uint32_t height)  // pixels
      : columns_((width + kTile - 1) / kTile),
        rows_((height + kTile - 1) / kTile),
        tiles_(size_t{columns_} * rows_ + 1) {}

  // The tile of a pixel. What lies outside is counted nowhere.
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
  std::vector<TileCount> tiles_;  // and one for what lies outside
};

}  // namespace cutaway::parts
