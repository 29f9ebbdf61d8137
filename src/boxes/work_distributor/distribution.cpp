#include "boxes/work_distributor/distribution.h"

#include "boxes/work_distributor/by_tile.h"
#include "boxes/work_distributor/least_loaded.h"
#include "boxes/work_distributor/tile_batches.h"
#include "boxes/work_distributor/turns.h"

namespace cutaway::boxes {

std::unique_ptr<Distribution> make_distribution(DistributionPolicy policy, unsigned takers, unsigned batch,
                                                const parts::TileMap& map) {
  switch (policy) {
    case DistributionPolicy::kTurns:
      return std::make_unique<Turns>(takers, batch);
    case DistributionPolicy::kLeastLoaded:
      return std::make_unique<LeastLoaded>(takers);
    case DistributionPolicy::kTileBatches:
      return std::make_unique<TileBatches>(takers, map.tile(), batch);
    case DistributionPolicy::kTileMap:
      return std::make_unique<ByTile>(map);
  }
  CUTAWAY_CHECK(false, "distribution policy {}", static_cast<int>(policy));
}

}  // namespace cutaway::boxes
