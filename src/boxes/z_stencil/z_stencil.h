#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "boxes/z_stencil/depth_tester.h"
#include "boxes/z_stencil/early_tests.h"
#include "boxes/z_stencil/late_draws.h"
#include "boxes/z_stencil/late_tests.h"
#include "boxes/z_stencil/raster_turns.h"
#include "boxes/z_stencil/z_stencil_counters.h"
#include "boxes/z_stencil/z_stencil_spec.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "messages/quad_ahead.h"
#include "structures/cache.h"
#include "structures/depth_order/depth_order.h"
#include "structures/tile_map.h"

namespace cutaway::boxes {

// Depth and stencil test of the tiles that the unit owns, before or after shading. It tests one quad per
// cycle (ATT-3), or several per cycle before shading. With several samples per pixel a test is that of one
// sample of a quad.
//
//   RasterTurns   takes quads of the rasterisers in turn
//   EarlyTests    quads before shading, in order
//   LateTests     quads after shading, in order
//   DepthTester   the cache, the test itself, and TileReports for hierarchical Z
//
//   LateDraws     draws that are still to be tested after shading
//   DepthOrder    which quads wait for them (structures/depth_order)
//
// Quads pass on either side in order, whether they are tested there or not. Where the test before shading
// decides, a quad waits until the order of writes lets it; where another test follows, it is left out if it
// could reject what passes later.
class ZStencil final : public engine::Box {
 public:
  // rasters: map of tiles to rasterisers; the hierarchical Z of each sends quads and receives stored depths.
  // sends_dead: also sends quads whose every sample failed the early test, for an interpolator that keeps
  // their order; but none of draws that end here. tells_color: of each quad that goes to be shaded.
  ZStencil(std::string path, const ZStencilSpec& spec, structures::TileMap rasters = structures::TileMap(),
           bool sends_dead = false, bool tells_color = false);

  std::vector<engine::In<messages::QuadMessage>> quads_in;   // from each hierarchical Z
  engine::Out<messages::QuadMessage> quads_out;              // to the interpolator
  engine::In<messages::ShadedQuad> late_in;                  // from the reorder buffer
  engine::Out<messages::ShadedQuad> late_out;                // to color write
  engine::Out<messages::QuadAhead> ahead_out;                // to color write, with tells_color
  std::vector<engine::Out<messages::HzUpdate>> updates_out;  // to each hierarchical Z
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  ZStencilCounters counters;

  structures::Cache& cache() { return tester_.cache(); }  // for fault injection

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;
  const engine::Port* source_of(const engine::Port& out) const override {
    if (&out == &late_out && late_.empty()) return &late_in;
    if (&out == &quads_out && early_.empty()) return &quads_in[turns_.turn()];
    return nullptr;
  }

 private:
  bool take_late(engine::Cycle now);
  bool take_early(engine::Cycle now);
  bool take_quad(engine::Cycle now);
  std::optional<EarlyTests::Earlier> earlier_than(const messages::QuadMessage& quad) const;
  void drop_input(engine::Cycle now, unsigned input);
  unsigned next_input(engine::Cycle now) const;
  unsigned missing_end(engine::Cycle now) const;
  bool finish_late(engine::Cycle now, unsigned& budget);
  bool send_early(engine::Cycle now);
  bool send_memory(engine::Cycle now);
  bool report(engine::Cycle now);
  bool control(engine::Cycle now);
  engine::Cycle account(engine::Cycle now, bool progress);

  static constexpr unsigned kNone = RasterTurns::kNone;

  unsigned quads_per_cycle_;
  bool compression_, prefetches_, tells_color_;
  structures::TileMap rasters_;
  DepthTester tester_;
  RasterTurns turns_;
  EarlyTests early_;
  LateTests late_;
  LateDraws late_draws_;
  std::unique_ptr<structures::DepthOrder> order_;
  bool counts_quads_;  // order_ is told of each quad
};

}  // namespace cutaway::boxes
