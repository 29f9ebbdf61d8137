#include "boxes/work_distributor/by_tile.h"

namespace cutaway::boxes {
namespace {

// Owners by rows of tiles, as work_distributor.map says (G80-1).
class ByTile final : public OwnersOfTiles {
 public:
  ByTile(unsigned /*takers*/, unsigned /*batch*/, const structures::TileMap& map) : map_(map) {}

  unsigned gathered() const override { return map_.units(); }
  unsigned group_of(int32_t x, int32_t y) const override { return map_.owner(x, y); }

 private:
  structures::TileMap map_;
};

const FragmentDistributions::Member<ByTile> kByTile("tile-map");

}  // namespace
}  // namespace cutaway::boxes
