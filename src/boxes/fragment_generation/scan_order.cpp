#include "boxes/fragment_generation/scan_order.h"

#include "boxes/fragment_generation/recursive.h"
#include "boxes/fragment_generation/serpentine.h"
#include "boxes/fragment_generation/tile_rows.h"

namespace cutaway::boxes {

std::unique_ptr<ScanOrder> make_scan_order(const ScanOrderOptions& spec) {
  switch (spec.kind) {
    case ScanOrderKind::kSerpentine:
      break;
    case ScanOrderKind::kTileRows:
      return std::make_unique<TileRows>(spec.tile, spec.tile * spec.rows);
    case ScanOrderKind::kRecursive:
      return std::make_unique<Recursive>(spec.block, spec.level_cycles);
  }
  return std::make_unique<Serpentine>();
}

}  // namespace cutaway::boxes
