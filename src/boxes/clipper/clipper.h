#pragma once

#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::boxes {

struct ClipperCounters {
  uint64_t primitives = 0, rejected = 0;

  template <class V>
  static void fields(V&& v) {
    v("primitives", &ClipperCounters::primitives, "primitives", "primitives taken");
    v("rejected", &ClipperCounters::rejected, "primitives",
      "primitives taken that are wholly outside, not finite, or discarded by state");
  }
};

// Rejects primitives completely outside one clip plane (ATT-3: one per cycle; its latency of 6 is that of the
// wire to triangle setup). Primitives that cross a plane are cut in setup by additional half planes, not
// split into pieces.
class Clipper final : public engine::Box {
 public:
  explicit Clipper(std::string path) : Box(std::move(path)) {}

  engine::In<messages::PrimitiveMessage> primitives_in;
  engine::Out<messages::PrimitiveMessage> primitives_out;

  ClipperCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in, "primitives, ends of batches");
    list("primitives_out", primitives_out, "primitives that may be visible");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  bool accepts(const messages::PrimitiveMessage& message);
};

}  // namespace cutaway::boxes
