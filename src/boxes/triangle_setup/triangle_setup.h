#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "command_stream/work.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "func/raster/line.h"
#include "messages/messages.h"
#include "structures/tile_map.h"

namespace cutaway::boxes {

struct TriangleSetupSpec {
  unsigned primitives = 1024;
  unsigned triangle_cycles = 1;

  template <class V>
  static void fields(V&& v) {
    using S = TriangleSetupSpec;
    v("primitives", &S::primitives, "primitives", 1u, 16384u,
      "storage of primitives that are set up; each stays until its last fragment is written; each edge or "
      "vertex that a polygon mode draws is one");
    v("triangle_cycles", &S::triangle_cycles, "cycles", 1u, 16u,
      "cycles for each triangle that is set up; lines, points, edges and culled triangles take one");
  }
};

struct TriangleSetupCounters {
  uint64_t primitives = 0, culled_face = 0, culled_empty = 0, parts = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TriangleSetupCounters;
    v("primitives", &C::primitives, "primitives", "primitives taken");
    v("culled_face", &C::culled_face, "primitives", "primitives taken that face the culled way");
    v("culled_empty", &C::culled_empty, "primitives",
      "primitives taken without area, or without a sample in their bounds");
    v("parts", &C::parts, "primitives", "edges and vertices that polygon modes made of triangles");
  }
};

// Computes edge functions and interpolation planes: one primitive per cycle (ATT-3), or a triangle in several
// (OUT-G80-7); its latency of 10 (ATT-4) is that of the wire to fragment generation. With polygon modes a
// triangle becomes three primitives, its edges or vertices, or takes one cycle if it is culled. Lines arrive
// here in order, so the stipple counter is here.
//
// A primitive goes to the rasterisers that own a tile of its bounds, to all of them in one cycle; ends of
// batches and draws go to every rasteriser. A primitive that lacks room at some of them waits inside, and
// blocks all later ones.
//
// A set-up primitive has a place in the storage of primitives, which is returned once no rasteriser, tile or
// quad refers to it.
class TriangleSetup final : public engine::Box {
 public:
  // rasters: the rasterisers' tiles.
  TriangleSetup(std::string path, const TriangleSetupSpec& spec, messages::Pools& pools,
                structures::TileMap rasters = structures::TileMap())
      : Box(std::move(path)),
        primitives_out(rasters.units()),
        storage(spec.primitives),
        triangle_cycles_(spec.triangle_cycles),
        pools_(pools),
        rasters_(std::move(rasters)) {}

  engine::In<messages::PrimitiveMessage> primitives_in;
  std::vector<engine::Out<messages::SetupMessage>> primitives_out;  // by rasteriser
  engine::Storage storage;                                          // of set-up primitives

  TriangleSetupCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in, "primitives");
    list("primitives_out", primitives_out, "to each rasteriser: primitives with edges, planes and bounds");
    list("storage", storage);
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;

  // Starts a submission's work counts anew; called between cycles, while nothing is under way. The first
  // primitive of a later submission does so too.
  void begin_submission(const command_stream::WorkLimits& limits) {
    limits_ = limits;
    work_ = command_stream::Work(limits);
  }
  const char* fault() const { return fault_; }  // reason for which it has stopped
  uint32_t fault_draw() const { return fault_draw_; }
  uint64_t pixels() const { return work_.pixels(); }  // pixels that it has accepted; below, the current draw
  uint32_t draw() const { return draw_; }
  std::string why_busy() const override;

 private:
  void take(engine::Cycle now, const messages::PrimitiveMessage& next);
  void take_end(engine::Cycle now, const messages::PrimitiveMessage& end);
  bool send(engine::Cycle now);
  func::SetupResult set_up(const messages::PrimitiveMessage& message, messages::PrimitiveRef& primitive);

  const unsigned triangle_cycles_;
  messages::Pools& pools_;
  structures::TileMap rasters_;
  engine::Cycle free_at_ = 0;   // cycle in which the last primitive is done
  messages::SetupMessage out_;  // set up and not sent yet
  uint32_t targets_ = 0;        // its rasterisers, one bit each
  unsigned full_ = 0;           // the first of them without room
  func::StippleCounter stipple_;
  command_stream::WorkLimits limits_;
  command_stream::Work work_;
  uint32_t submission_ = 0;  // of the last primitive
  const char* fault_ = nullptr;
  uint32_t fault_draw_ = 0, draw_ = 0;
  uint32_t part_ = 0;   // next part of the polygon at the port
  bool drawn_ = false;  // an earlier part was sent
};

}  // namespace cutaway::boxes
