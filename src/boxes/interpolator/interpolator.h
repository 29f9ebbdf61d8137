#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct InterpolatorSpec {
  unsigned base_latency = 1;
  unsigned max_latency = 8;
  unsigned depth = 32;

  template <class V>
  static void fields(V&& v) {
    using S = InterpolatorSpec;
    v("base_latency", &S::base_latency, "cycles", 1u, 64u, "without interpolants; each interpolant adds one");
    v("max_latency", &S::max_latency, "cycles", 1u, 64u, "at most");
    v("depth", &S::depth, "quads", 2u, 256u, "quads inside");
  }
};

struct InterpolatorCounters {
  uint64_t quads = 0, fragments = 0, interpolants = 0;

  template <class V>
  static void fields(V&& v) {
    using C = InterpolatorCounters;
    v("quads", &C::quads, "quads", "quads interpolated");
    v("fragments", &C::fragments, "fragments", "covered fragments in them");
    v("interpolants", &C::interpolants, "vectors", "four-component interpolants evaluated, once per quad");
  }
};

// Perspective-correct attributes: one quad per cycle from each Z and stencil unit (ATT-3: 2 × 4 fragments).
// With sample shading a quad leaves once for each sample that is alive, one per cycle.
class Interpolator final : public engine::Box {
 public:
  Interpolator(std::string path, const InterpolatorSpec& spec, unsigned units, parts::Pools& pools);

  std::vector<engine::In<parts::QuadMessage>> quads_in;  // by Z and stencil unit
  engine::Out<parts::InterpolatedQuad> quads_out;

  InterpolatorCounters counters;

  void list_ports(engine::PortList& list) override {
    list("quads_in", quads_in);
    list("quads_out", quads_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Entry {
    engine::Cycle ready = 0;
    parts::InterpolatedQuad quad;
  };
  bool send(engine::Cycle now);
  bool take(engine::Cycle now);
  parts::QuadMessage take_quad(engine::Cycle now, unsigned unit);
  void interpolate(parts::InterpolatedQuad& out);

  InterpolatorSpec spec_;
  parts::Pools& pools_;
  parts::Ring<Entry> entries_;
  unsigned turn_ = 0;
  std::vector<uint8_t> next_sample_;  // by unit: of the quad at its port, with sample shading
};

}  // namespace cutaway::boxes
