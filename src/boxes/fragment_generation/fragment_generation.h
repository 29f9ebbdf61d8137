#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/fragment_generation/scan_order.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/ring.h"
#include "structures/tile_map.h"

namespace cutaway::boxes {

struct FragmentGenerationSpec {
  unsigned units = 1;
  unsigned tile = 8;
  std::vector<unsigned> map = {};
  PolicyName<ScanOrders> order = "serpentine";
  unsigned scan_rows = 1;
  unsigned block = 64;
  unsigned level_cycles = 1;
  unsigned tile_cycles = 1;
  unsigned pixels_per_cycle = 0;
  unsigned tiles_per_cycle = 2;
  unsigned tests_per_cycle = 4;
  unsigned found_tiles = 0;

  template <class V>
  static void fields(V&& v) {
    using S = FragmentGenerationSpec;
    v("units", &S::units, "units", 1u, 8u, "rasterisers, each with its own hierarchical Z");
    v("tile", &S::tile, "pixels", 8u, 128u,
      "width and height of the tiles that the map assigns; a power of 2");
    v("map", &S::map, "", 0u, 7u, "diagonal",
      "the unit of tile (i, j) is i + the number of row j, modulo units; the list repeats");
    v("order", &S::order,
      "walk of a bounding box: hilbert, by descent from large blocks to 8x8 tiles, along Hilbert curves; "
      "recursive, by the same descent in Z order; serpentine, to and fro in rows of 8x8 tiles; sub-tile-rows, in rows of the screen, and inside these in rows of 8x4 "
      "pixels, halves of 8x8 tiles that then count as tiles; tile-rows, in rows of the screen");
    v("scan_rows", &S::scan_rows, "tiles", 1u, 16u,
      "height of a row of the screen, if the order is tile-rows or sub-tile-rows");
    v("block", &S::block, "pixels", 16u, 4096u,
      "width and height of the largest block, if the order is hilbert or recursive; a power of 2");
    v("level_cycles", &S::level_cycles, "cycles", 1u, 16u,
      "cycles from the test of a block to those of its quarters, if the order is hilbert or recursive");
    v("tile_cycles", &S::tile_cycles, "cycles", 1u, 16u,
      "cycles in which the pixels of an 8x8 tile with fragments are scanned, one tile after the other: 4 if "
      "these are 16 pixels a cycle");
    v("pixels_per_cycle", &S::pixels_per_cycle, "pixels", 0u, 32u,
      "pixels of a block of which one is drawn per cycle, so that an 8x8 tile takes a cycle for each of its "
      "blocks with fragments: 4 (2x2), 8 (4x2), 16 (4x4) or 32 (8x4); 0: a tile takes tile_cycles, whatever "
      "it has");
    v("tiles_per_cycle", &S::tiles_per_cycle, "tiles", 1u, 16u, "8x8 tiles with fragments sent per cycle");
    v("tests_per_cycle", &S::tests_per_cycle, "tiles", 1u, 64u,
      "tiles of a primitive's bounding box, or blocks of them, tested per cycle");
    v("found_tiles", &S::found_tiles, "tiles", 0u, 64u,
      "covered tiles that may wait while more are tested; 0: a tile is tested when it can be sent");
  }

  structures::TileMap tile_map() const { return structures::TileMap(units, tile, map); }
};

struct FragmentGenerationCounters {
  uint64_t primitives = 0, blocks_tested = 0, tiles_tested = 0, tiles = 0, fragments = 0,
           driver_fragments = 0;

  template <class V>
  static void fields(V&& v) {
    using C = FragmentGenerationCounters;
    v("primitives", &C::primitives, "primitives", "primitives traversed");
    v("blocks_tested", &C::blocks_tested, "blocks",
      "blocks larger than 8x8 tiles, tested by recursive descent");
    v("tiles_tested", &C::tiles_tested, "tiles", "8x8 tiles tested");
    v("tiles", &C::tiles, "tiles", "8x8 tiles with a fragment");
    v("fragments", &C::fragments, "fragments", "fragments generated", CounterRole::kFragmentsGenerated);
    v("driver_fragments", &C::driver_fragments, "fragments", "fragments generated for the driver's own draws",
      CounterRole::kFragmentsGenerated, CountOf::kDriver);
  }
};

// One of several rasterisers, a tile scanner or a recursive one (ATT-5). It walks its own 8×8 tiles in a
// primitive's bounding box, in the order of its policy.
//
// Front ends take turns, batch by batch, so that primitives arrive in the draw's order. The end of a batch
// passes the turn on and takes no cycle; the end of a draw is also the end of its last batch.
class FragmentGeneration final : public engine::Box {
 public:
  // unit: index of the rasteriser.
  FragmentGeneration(std::string path, const FragmentGenerationSpec& spec, unsigned unit = 0,
                     unsigned front_ends = 1);

  std::vector<engine::In<messages::SetupMessage>> primitives_in;  // by front end
  engine::Out<messages::TileMessage> tiles_out;

  FragmentGenerationCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in, "from each front end: primitives with edges, planes and bounds");
    list("tiles_out", tiles_out, "tiles with their coverage");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  unsigned send_found(engine::Cycle now);
  bool can_send(engine::Cycle now, unsigned sent) const;
  void send(engine::Cycle now, messages::TileMessage&& tile);
  unsigned cycles_of(const messages::TileMessage& tile) const;
  bool room(engine::Cycle now, unsigned sent) const;
  void look_at_block(engine::Cycle now);
  bool look_at_tile(engine::Cycle now, unsigned sent);
  func::TileSamples coverage_here() const;
  bool owned_here() const { return map_.owner(order_->x(), order_->y()) == unit_; }
  bool pass_turns(engine::Cycle now);
  bool others_wait(engine::Cycle now) const;
  void pass_turn() { turn_ = (turn_ + 1) % primitives_in.size(); }
  void start(const messages::SetupMessage& message);
  void advance();

  FragmentGenerationSpec spec_;
  structures::TileMap map_;
  unsigned unit_;
  std::unique_ptr<ScanOrder> order_;
  messages::SetupMessage current_;
  structures::Ring<messages::TileMessage> found_;  // to be sent
  bool active_ = false;
  engine::Cycle scanned_ = 0;  // when the tile that was sent last has been scanned
  size_t turn_ = 0;            // the front end with the current batch
};

}  // namespace cutaway::boxes
