#pragma once

#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct TriangleSetupCounters {
  uint64_t primitives = 0, culled_face = 0, culled_empty = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TriangleSetupCounters;
    v("primitives", &C::primitives, "primitives", "primitives taken");
    v("culled_face", &C::culled_face, "primitives", "of those: facing the culled way");
    v("culled_empty", &C::culled_empty, "primitives", "of those: no area, or no sample within their bounds");
  }
};

// Edge functions and interpolation planes: one primitive per cycle (ATT-3); its latency of 10 (ATT-4) is that
// of the wire to fragment generation.
class TriangleSetup final : public engine::Box {
 public:
  TriangleSetup(std::string path, parts::Pools& pools) : Box(std::move(path)), pools_(pools) {}

  engine::In<parts::PrimitiveMessage> primitives_in;
  engine::Out<parts::SetupMessage> primitives_out;

  TriangleSetupCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in);
    list("primitives_out", primitives_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  parts::Pools& pools_;
};

}  // namespace cutaway::boxes
