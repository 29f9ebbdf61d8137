#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/fragment_generation/scan_order.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"
#include "parts/tile_map.h"

namespace cutaway::boxes {

struct FragmentGenerationSpec {
  unsigned units = 1;
  unsigned tile = 8;
  std::vector<unsigned> map = {};
  ScanOrderKind order = ScanOrderKind::kSerpentine;
  unsigned scan_rows = 1;
  unsigned tiles_per_cycle = 2;
  unsigned tests_per_cycle = 4;

  template <class V>
  static void fields(V&& v) {
    using S = FragmentGenerationSpec;
    v("units", &S::units, "units", 1u, 8u, "rasterisers, each with its own hierarchical Z");
    v("tile", &S::tile, "pixels", 8u, 128u,
      "width and height of the tiles that are shared out; a power of 2");
    v("map", &S::map, "", 0u, 7u, "diagonal",
      "the unit of tile (i, j) is i + the number of row j, modulo units; the list repeats");
    v("order", &S::order, kScanOrderNames,
      "in which a bounding box is walked: to and fro in rows of 8x8 tiles, or in rows of the screen");
    v("scan_rows", &S::scan_rows, "tiles", 1u, 16u,
      "height of a row of the screen, if the order is tile-rows");
    v("tiles_per_cycle", &S::tiles_per_cycle, "tiles", 1u, 16u, "8x8 tiles with fragments sent per cycle");
    v("tests_per_cycle", &S::tests_per_cycle, "tiles", 1u, 64u,
      "tiles of a primitive's bounding box looked at per cycle");
  }

  parts::TileMap tile_map() const { return parts::TileMap(units, tile, map); }
};

struct FragmentGenerationCounters {
  uint64_t primitives = 0, tiles_tested = 0, tiles = 0, fragments = 0, driver_fragments = 0;

  template <class V>
  static void fields(V&& v) {
    using C = FragmentGenerationCounters;
    v("primitives", &C::primitives, "primitives", "primitives traversed");
    v("tiles_tested", &C::tiles_tested, "tiles", "8x8 tiles looked at");
    v("tiles", &C::tiles, "tiles", "of those: with a fragment");
    v("fragments", &C::fragments, "fragments", "fragments generated", CounterRole::kFragmentsGenerated);
    v("driver_fragments", &C::driver_fragments, "fragments", "of those: of the driver's own draws",
      CounterRole::kFragmentsGenerated, CountOf::kDriver);
  }
};

// The tile scanner (ATT-5), one of several rasterisers: walks those 8×8 tiles of a primitive's bounding box
// that belong to it, in the order of its policy.
//
// Front ends take turns, batch by batch, so that primitives come in the order of the draw. The end of a batch
// passes the turn on and takes no cycle of its own; that of a draw is that of its last batch, too.
class FragmentGeneration final : public engine::Box {
 public:
  // unit: which of the rasterisers it is.
  FragmentGeneration(std::string path, const FragmentGenerationSpec& spec, unsigned unit = 0,
                     unsigned front_ends = 1);

  std::vector<engine::In<parts::SetupMessage>> primitives_in;  // by front end
  engine::Out<parts::TileMessage> tiles_out;

  FragmentGenerationCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in);
    list("tiles_out", tiles_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  func::TileSamples coverage_here() const;
  bool owned_here() const { return map_.owner(order_->x(), order_->y()) == unit_; }
  bool pass_turns(engine::Cycle now);
  bool others_wait(engine::Cycle now) const;
  void pass_turn() { turn_ = (turn_ + 1) % primitives_in.size(); }
  void start(const parts::SetupMessage& message);
  void advance();

  FragmentGenerationSpec spec_;
  parts::TileMap map_;
  unsigned unit_;
  std::unique_ptr<ScanOrder> order_;
  parts::SetupMessage current_;
  bool active_ = false;
  size_t turn_ = 0;  // the front end whose batch it is at
};

}  // namespace cutaway::boxes
