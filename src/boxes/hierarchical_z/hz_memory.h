#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch/packet.h"
#include "arch/surface.h"
#include "structures/owned_tiles.h"

namespace cutaway::boxes {

// One level and layer of a depth surface, as draws and clears see it.
struct DepthImage {
  arch::Address begin = 0, end = 0;
  uint32_t format = 0, samples = 1, width = 0, height = 0;
  uint64_t row_pitch = 0;  // bytes

  bool operator==(const DepthImage&) const = default;
};
// The first level and layer in view.
DepthImage depth_image(const arch::Surface& surface, uint32_t samples);

// The entries that a rasteriser holds of the memory of hierarchical Z, a share that all of them have: which
// depth surfaces have how many (DX-6). Hierarchical Z and hierarchical stencil keep the contents.
//
// A surface gets a region when it is drawn to or cleared: an entry for each tile of its own, or for those of
// its first rows, if the memory is too small. The surfaces that were least recently used lose theirs where
// there is no room. Two regions never describe the same bytes.
class HzMemory {
 public:
  struct Region {
    uint64_t life = 0;     // of all regions that there have been, another number for each; 0: none
    uint32_t index = 0;    // below that of the surfaces
    uint32_t entries = 0;  // from 0 on
    DepthImage image;
    uint64_t used = 0;  // when, as a number of uses
  };

  // entries: of all rasterisers together. surfaces: that have a region at a time.
  HzMemory(uint32_t entries, uint32_t surfaces, structures::OwnedTiles tiles = structures::OwnedTiles());

  uint32_t surfaces() const { return static_cast<uint32_t>(regions_.size()); }
  // The region of a surface that is drawn to or cleared.
  Region take(const DepthImage& image);
  bool lives(const Region& region) const { return regions_[region.index].life == region.life; }
  // The region whose image is at this address; null: none.
  const Region* at(arch::Address address) const;
  // Drops the regions that describe bytes of an image, but not its own. Call for every draw and clear, also
  // for those that hierarchical Z takes no region for.
  void written_as(const DepthImage& image);
  void drop(const arch::Surface& surface);  // all its levels and layers
  void forget();                            // all regions

  // The entry of the tile at a pixel, or kNone. A tile of another rasteriser has the entry of an own one.
  static constexpr uint32_t kNone = ~0u;
  uint32_t entry(const Region& region, int32_t x, int32_t y) const;
  // Calls set(entry) for each own tile of a rectangle that is cleared. Returns how many tiles of it have
  // entries in any rasteriser.
  template <class Set>
  uint32_t for_cleared(const Region& region, const arch::ClearPacket& packet, Set&& set) const;

 private:
  Region& make_room(uint32_t entries);
  void drop(arch::Address begin, arch::Address end);

  uint32_t share_;
  structures::OwnedTiles tiles_;
  std::vector<Region> regions_;
  uint64_t lives_ = 0, uses_ = 0;
};

template <class Set>
uint32_t HzMemory::for_cleared(const Region& region, const arch::ClearPacket& packet, Set&& set) const {
  const uint32_t right = std::min(packet.x + packet.width, region.image.width),
                 bottom = std::min(packet.y + packet.height, region.image.height);
  uint32_t count = 0;
  for (uint32_t row = packet.y & ~7u; row < bottom; row += 8)
    for (uint32_t column = packet.x & ~7u; column < right; column += 8) {
      const auto x = static_cast<int32_t>(column), y = static_cast<int32_t>(row);
      const uint32_t at = entry(region, x, y);
      if (at == kNone) continue;
      count++;
      if (tiles_.owns(x, y)) set(at);
    }
  return count;
}

}  // namespace cutaway::boxes
