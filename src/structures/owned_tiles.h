#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/divisor.h"
#include "structures/tile_map.h"

namespace cutaway::structures {

// The 8×8 tiles that one unit of a map owns, each with a number of its own, for a memory that holds no
// others. In each row of the map's tiles a unit owns one of every `units` that follow one another: 8×8 tiles
// are numbered row by row, in a row by those runs of map tiles, and from left to right in a map tile.
class OwnedTiles {
 public:
  explicit OwnedTiles(TileMap map = TileMap(), unsigned unit = 0)
      : map_(std::move(map)), unit_(unit), run_(uint64_t{map_.units()} * tile()) {}

  unsigned units() const { return map_.units(); }
  bool owns(int32_t x, int32_t y) const { return map_.owner(x, y) == unit_; }
  // All numbers of tiles of a surface of this size in pixels are less. The same for each unit.
  uint64_t count(uint32_t width, uint32_t height) const { return (uint64_t{height} + 7) / 8 * in_row(width); }
  // The number of the tile at a pixel of a surface of this width. Tiles at the same place in the map tiles of
  // a run have the same number; each unit owns one of them.
  uint64_t number(uint32_t width, int32_t x, int32_t y) const {
    const auto column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
    return row / 8 * in_row(width) + run_.quotient(column) * (tile() / 8) + (column & (tile() - 1)) / 8;
  }

 private:
  uint32_t tile() const { return static_cast<uint32_t>(map_.tile()); }
  // Numbers in a row of 8×8 tiles: no more than the surface has tiles, if it is narrower than a map tile.
  uint64_t in_row(uint32_t width) const {
    return std::min<uint64_t>((uint64_t{width} + 7) / 8,
                              run_.quotient(uint64_t{width} + map_.units() * tile() - 1) * (tile() / 8));
  }

  TileMap map_;
  unsigned unit_;
  Divisor run_;  // pixels of a run of map tiles, one of each unit
};

}  // namespace cutaway::structures
