#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/reorder_buffer/release_order.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct ReorderBufferSpec {
  unsigned entries = 128;
  unsigned quads_per_cycle = 1;
  PolicyName<ReleaseOrders> order = "quads";

  template <class V>
  static void fields(V&& v) {
    using S = ReorderBufferSpec;
    v("entries", &S::entries, "quads", 4u, 65536u,
      "quads of one ROP between work distributor and Z and stencil unit");
    v("quads_per_cycle", &S::quads_per_cycle, "quads", 1u, 16u,
      "oldest quads tested per cycle: one leaves, those without a live fragment are dropped");
    v("order", &S::order,
      "what keeps its order: primitives, whose quads leave when they have been shaded; quads");
  }
};

struct ReorderBufferCounters {
  uint64_t quads = 0, dead_quads = 0, early_quads = 0;

  template <class V>
  static void fields(V&& v) {
    v("quads", &ReorderBufferCounters::quads, "quads", "shaded quads put back in order");
    v("dead_quads", &ReorderBufferCounters::dead_quads, "quads",
      "quads put back in order whose fragments were all killed by their shader");
    v("early_quads", &ReorderBufferCounters::early_quads, "quads",
      "quads that left before an older one of their primitive");
  }
};

// Restores the order of one ROP's shaded quads, or of their primitives, to that of the work distributor.
// Order matters where quads overlap, and all quads of a tile belong to one ROP.
//
// The wire of entries is the buffer: an entry keeps its slot until its quad leaves. So no quad is issued
// without room for its result, and quads that shading finishes first are always accepted.
class ReorderBuffer final : public engine::Box {
 public:
  // sends_dead: also sends dead quads that would be tested after shading, for a unit that counts them.
  ReorderBuffer(std::string path, const ReorderBufferSpec& spec, unsigned shaders, bool sends_dead = false);

  engine::In<messages::ReorderEntry> entries_in;  // from the work distributor
  engine::Inputs<messages::ShadedQuad> quads_in;  // by shader unit
  engine::Out<messages::ShadedQuad> quads_out;    // to the Z and stencil unit

  ReorderBufferCounters counters;

  // Fault for tests of the verifier: quads leave in the order in which shading ends.
  bool release_in_completion_order = false;

  void list_ports(engine::PortList& list) override {
    list("entries_in", entries_in, "an entry for each quad, and draw ends");
    list("quads_in", quads_in, "from each shader unit: shaded quads");
    list("quads_out", quads_out, "shaded quads, in order");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Shaded {
    bool there = false, left = false;
    messages::ShadedQuad quad;
  };
  bool take_quads(engine::Cycle now);
  bool release(engine::Cycle now);
  void look_ahead(engine::Cycle now);
  bool release_quad(engine::Cycle now);
  void drop_oldest(engine::Cycle now);
  bool release_end(engine::Cycle now, const messages::ReorderEntry& end);
  // The place of an entry that is on its wire.
  Shaded& shaded(uint32_t order) { return shaded_[order - oldest_]; }
  uint32_t first_open(engine::Cycle now, uint32_t draw);

  ReorderBufferSpec spec_;
  bool sends_dead_;
  std::unique_ptr<ReleaseOrder> order_;
  structures::Ring<Shaded> shaded_;   // of all entries that the wire has room for, from the oldest on
  uint32_t oldest_ = 0;               // order number of the oldest entry
  uint32_t waiting_ = 0;              // quads in shaded_
  uint32_t may_leave_ = 0;            // number of entries, from the oldest on, whose quads may leave
  structures::Ring<uint32_t> ready_;  // order numbers of shaded quads that may leave
};

}  // namespace cutaway::boxes
