#pragma once

#include <string>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::boxes {

struct FragmentGenerationSpec {
  unsigned tiles_per_cycle = 2;
  unsigned tests_per_cycle = 4;

  template <class V>
  static void fields(V&& v) {
    using S = FragmentGenerationSpec;
    v("tiles_per_cycle", &S::tiles_per_cycle, "tiles", 1u, 16u, "8x8 tiles with fragments sent per cycle");
    v("tests_per_cycle", &S::tests_per_cycle, "tiles", 1u, 64u,
      "tiles of a primitive's bounding box looked at per cycle");
  }
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

// The tile scanner (ATT-5): walks the tiles of a primitive's bounding box row by row, alternating in
// direction.
class FragmentGeneration final : public engine::Box {
 public:
  FragmentGeneration(std::string path, const FragmentGenerationSpec& spec)
      : Box(std::move(path)), spec_(spec) {}

  engine::In<parts::SetupMessage> primitives_in;
  engine::Out<parts::TileMessage> tiles_out;

  FragmentGenerationCounters counters;

  void list_ports(engine::PortList& list) override {
    list("primitives_in", primitives_in);
    list("tiles_out", tiles_out);
  }
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return active_ ? "a primitive is half traversed" : ""; }

 private:
  func::TileSamples coverage_here() const;
  void start(const parts::SetupMessage& message);
  void advance();

  FragmentGenerationSpec spec_;
  parts::SetupMessage current_;
  bool active_ = false;
  int32_t left_ = 0, right_ = 0, bottom_ = 0;  // upper left pixels of the outermost tiles
  int32_t x_ = 0, y_ = 0, step_ = 0;
};

}  // namespace cutaway::boxes
