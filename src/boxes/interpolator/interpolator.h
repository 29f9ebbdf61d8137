#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/interpolator/quad_sorter.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/ring.h"
#include "structures/tile_map.h"

namespace cutaway::boxes {

// Order in which quads are taken. kArrival: from each Z and stencil unit in turn. kRasterised: in the order
// in which hierarchical Z sent them, whichever unit tested them; of several rasterisers in turn.
enum class QuadOrder : uint8_t { kArrival, kRasterised };
inline constexpr EnumName<QuadOrder> kQuadOrderNames[] = {{QuadOrder::kArrival, "arrival"},
                                                          {QuadOrder::kRasterised, "rasterised"}};

struct InterpolatorSpec {
  unsigned base_latency = 1;
  unsigned max_latency = 8;
  unsigned vectors_per_cycle = 0;
  unsigned depth = 32;
  unsigned pulls = 0;
  unsigned pull_depth = 32;
  QuadOrder order = QuadOrder::kArrival;
  unsigned queue = 4;
  unsigned window = 0;

  bool sorts() const { return order == QuadOrder::kRasterised && window > 0; }

  template <class V>
  static void fields(V&& v) {
    using S = InterpolatorSpec;
    v("base_latency", &S::base_latency, "cycles", 1u, 64u,
      "latency of a quad without interpolants; each interpolant adds one");
    v("max_latency", &S::max_latency, "cycles", 1u, 64u, "greatest latency of a quad");
    v("vectors_per_cycle", &S::vectors_per_cycle, "vectors", 0u, 1024u,
      "four-component interpolants, each of a quad, that all evaluators together evaluate per cycle; 0: as "
      "many as quads bring");
    v("depth", &S::depth, "quads", 2u, 256u, "quads inside");
    v("pulls", &S::pulls, "requests", 0u, 16u,
      "requests taken per cycle from programs that pull interpolants while they run, each for a quad; they "
      "share rop.units evaluators with the quads that pass; 0: programs cannot pull");
    v("pull_depth", &S::pull_depth, "requests", 1u, 256u, "requests inside");
    v("order", &S::order, kQuadOrderNames,
      "order of quads behind the Z and stencil units: arrival, as they arrive from each; rasterised, in "
      "the order of rasterisation");
    v("queue", &S::queue, "quads", 4u, 1024u,
      "quads waiting from each Z and stencil unit: in the order of rasterisation the quads of a tile, "
      "which come from one unit, wait for the tiles before it");
    v("window", &S::window, "quads", 0u, 1024u,
      "quads of each rasteriser, counted from the next one on, that may wait inside for earlier ones; needed "
      "for the order of rasterisation where there are several; 0: quads wait before it");
  }
};

struct InterpolatorCounters {
  uint64_t quads = 0, fragments = 0, interpolants = 0;

  template <class V>
  static void fields(V&& v) {
    using C = InterpolatorCounters;
    v("quads", &C::quads, "quads", "quads interpolated");
    v("fragments", &C::fragments, "fragments", "covered fragments in these quads");
    v("interpolants", &C::interpolants, "vectors", "four-component interpolants evaluated, once per quad");
  }
};

// Counters of an interpolator that puts the quads of several rasterisers in order.
struct InterpolatorSorterCounters {
  uint64_t late = 0;

  template <class V>
  static void fields(V&& v) {
    v("late", &InterpolatorSorterCounters::late, "quads",
      "quads that came when the window had passed their numbers, and left at once");
  }
};

// Counters of an interpolator that programs can query.
struct InterpolatorPullCounters {
  uint64_t vectors = 0, fragments = 0, shared_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = InterpolatorPullCounters;
    v("vectors", &C::vectors, "vectors",
      "four-component interpolants that running programs pulled, once per quad");
    v("fragments", &C::fragments, "fragments", "running fragments in these quads");
    v("shared_cycles", &C::shared_cycles, "cycles",
      "cycles in which both quads and requests needed the evaluators");
  }
};

// Interpolates perspective-correct attributes: one quad per cycle from each Z and stencil unit (ATT-3: 2 × 4
// fragments), or equally many in rasterisation order, while the evaluators keep up (vectors_per_cycle). With
// sample shading a quad leaves once per live sample, one per cycle. Pull-model interpolation (DX-7): shader
// units request an interpolant of a quad at chosen places, and receive it through their own ports. If quads
// and requests compete for the evaluators, they alternate.
class Interpolator final : public engine::Box {
 public:
  // shader_units: units that run fragment programs, if they can query the interpolator. rasters: owners of
  // the tiles of the screen.
  Interpolator(std::string path, const InterpolatorSpec& spec, unsigned units, unsigned shader_units,
               messages::Pools& pools, structures::TileMap rasters = structures::TileMap());

  std::vector<engine::In<messages::QuadMessage>> quads_in;  // by Z and stencil unit
  engine::Out<messages::InterpolatedQuad> quads_out;
  std::vector<engine::In<messages::PullMessage>> pulls_in;  // by shader unit
  std::vector<engine::Out<messages::PullMessage>> pulls_out;

  InterpolatorCounters counters;
  InterpolatorPullCounters pull_counters;
  InterpolatorSorterCounters sorter_counters;

  void list_ports(engine::PortList& list) override {
    list("quads_in", quads_in, "from each Z and stencil unit: quads");
    list("quads_out", quads_out, "quads with their input registers");
    if (pulls_in.empty()) return;
    list("pulls_in", pulls_in, "from each shader unit: a request for an interpolant of a quad");
    list("pulls_out", pulls_out, "the interpolant, to the unit that asked");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;
  const engine::Port* source_of(const engine::Port& out) const override {
    if (!pulls_in.empty() && &out == &quads_out && entries_.empty()) return &quads_in[turn_];
    for (size_t unit = 0; unit < pulls_out.size() && pulled_.empty(); unit++)
      if (&out == &pulls_out[unit]) return &pulls_in[unit];
    return nullptr;
  }

 private:
  static constexpr int kNone = -1;
  struct Entry {
    engine::Cycle ready = 0;
    messages::InterpolatedQuad quad;
  };
  struct PullEntry {
    engine::Cycle ready = 0;
    messages::PullMessage pull;
    size_t unit = 0;  // requesting unit
  };
  engine::Cycle delay(uint32_t interpolants) const;
  bool can_evaluate(engine::Cycle now) const { return evaluators_ && evaluates_until() <= now; }
  engine::Cycle evaluates_until() const;
  engine::Cycle evaluate(engine::Cycle now, uint32_t interpolants);
  bool send(engine::Cycle now);
  bool take(engine::Cycle now);
  bool quads_wait(engine::Cycle now) const;
  bool take_quads(engine::Cycle now);
  unsigned take_arrived(engine::Cycle now);
  unsigned take_rasterised(engine::Cycle now);
  int unit_of_next(engine::Cycle now) const;
  bool take_end(engine::Cycle now);
  void enter(engine::Cycle now, messages::QuadMessage&& quad);
  messages::QuadMessage take_quad(engine::Cycle now, unsigned unit);
  // True if the quad leaves once for each live sample; and its next one, from sample `next` on, which is then
  // that after it, or 0.
  static bool by_samples(const messages::QuadMessage& quad);
  static messages::QuadMessage next_sample(const messages::QuadMessage& whole, uint8_t& next);
  // sorting.cpp
  unsigned take_sorted(engine::Cycle now);
  bool sort(engine::Cycle now, unsigned unit);
  bool pass_late(engine::Cycle now, unsigned unit);
  unsigned take_next(engine::Cycle now);
  engine::Cycle skips_at(engine::Cycle now) const;
  bool skip_missing(engine::Cycle now);
  void interpolate(messages::InterpolatedQuad& out);
  // pulls.cpp
  bool send_pulls(engine::Cycle now);
  bool take_pulls(engine::Cycle now);
  bool pulls_wait(engine::Cycle now) const;
  void pull(messages::PullJob& job);

  InterpolatorSpec spec_;
  messages::Pools& pools_;
  structures::Ring<Entry> entries_;
  unsigned turn_ = 0;
  uint32_t next_number_ = 0;          // number of the next quad in rasterisation order
  std::vector<uint8_t> next_sample_;  // by unit: next sample of the quad at its port, with sample shading
  structures::TileMap rasters_;
  QuadSorter sorter_;
  std::vector<uint8_t> sorted_sample_;  // by rasteriser: next sample of its next quad
  unsigned raster_turn_ = 0;
  engine::Cycle moved_ = 0;  // when a quad last went into the sorter or out of it
  structures::Ring<PullEntry> pulled_;
  size_t pull_turn_ = 0;
  bool pulls_first_ = false;  // requests have priority at the evaluators
  size_t evaluators_ = 0;     // evaluators left in this cycle
  uint64_t evaluated_ = 0;    // vectors that could have been evaluated when the last one is
};

}  // namespace cutaway::boxes
