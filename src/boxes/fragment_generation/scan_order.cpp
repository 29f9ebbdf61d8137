#include "boxes/fragment_generation/scan_order.h"

#include "boxes/fragment_generation/serpentine.h"
#include "boxes/fragment_generation/tile_rows.h"

namespace cutaway::boxes {

std::unique_ptr<ScanOrder> make_scan_order(ScanOrderKind kind, unsigned tile, unsigned rows) {
  switch (kind) {
    case ScanOrderKind::kSerpentine:
      break;
    case ScanOrderKind::kTileRows:
      return std::make_unique<TileRows>(tile, tile * rows);
  }
  return std::make_unique<Serpentine>();
}

}  // namespace cutaway::boxes
