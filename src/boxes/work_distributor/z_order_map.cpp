#include <bit>

#include "base/divisor.h"
#include "boxes/work_distributor/by_tile.h"

namespace cutaway::boxes {
namespace {

// The bits of a number below 2^16, with a 0 above each.
uint32_t spread(uint32_t value) {
  value &= 0xffff;
  value = (value | value << 8) & 0x00ff00ff;
  value = (value | value << 4) & 0x0f0f0f0f;
  value = (value | value << 2) & 0x33333333;
  return (value | value << 1) & 0x55555555;
}

// Owners in turn along the Z order of tiles, so that the tiles of every aligned block of 2^n x 2^n are shared
// out evenly: as a recursive rasteriser visits them.
class ZOrderMap final : public OwnersOfTiles {
 public:
  ZOrderMap(unsigned takers, unsigned /*batch*/, const structures::TileMap& map)
      : takers_(takers), count_(takers), shift_(std::countr_zero(static_cast<unsigned>(map.tile()))) {}

  unsigned gathered() const override { return takers_; }
  unsigned group_of(int32_t x, int32_t y) const override {
    const uint32_t column = static_cast<uint32_t>(x) >> shift_, row = static_cast<uint32_t>(y) >> shift_;
    return static_cast<unsigned>(count_.remainder(spread(column) | spread(row) << 1));
  }

 private:
  unsigned takers_;
  Divisor count_;
  int shift_;
};

const FragmentDistributions::Member<ZOrderMap> kZOrderMap("z-order-map");

}  // namespace
}  // namespace cutaway::boxes
