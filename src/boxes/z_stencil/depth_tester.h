#pragma once

#include <cstdint>

#include "boxes/z_stencil/tile_reports.h"
#include "boxes/z_stencil/z_stencil_counters.h"
#include "boxes/z_stencil/z_stencil_spec.h"
#include "func/rop/depth_stencil.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/quad_cache.h"

namespace cutaway::boxes {

// Tests quads, or single samples of them, against depth and stencil in its cache, and reports for
// hierarchical Z what lines hold. Knows no order of quads: tests are begun, and made, in that of the caller.
class DepthTester {
 public:
  enum class Side : uint8_t { kEarly, kLate };  // before or after shading

  // A test under way, which holds its lines from acquire() until make().
  struct Test {
    structures::QuadAccess access;
    bool fetches = true;  // needs the stored values
    uint8_t sample = 0;
    bool settled = true;  // no earlier quad of the place is still to be written
  };

  // counters: must outlive it.
  DepthTester(const ZStencilSpec& spec, ZStencilCounters& counters);

  Test begin(const messages::QuadMessage& quad, uint8_t sample) const;
  // Pins the lines of the test and asks memory for what they lack. Fails if the cache has no room yet.
  bool acquire(Test& test, const messages::QuadMessage& quad, Side side);
  // Asks memory for what the tests of a quad after shading will need, as far as there is room now.
  void prefetch(const messages::QuadMessage& quad);
  // The lines are pinned, and the values that the test needs are there.
  bool can_make(const Test& test) const {
    return test.access.acquired() && (!test.fetches || test.access.ready(cache_));
  }
  // Tests the lanes of `mask` with depths z, writes what passes if the phase says so, and releases the lines.
  // reference: stencil reference by lane; null for that of the draw.
  func::DepthResult make(Test& test, const messages::QuadMessage& quad, uint32_t mask, const float* z,
                         const uint32_t* reference, func::DepthPhase phase);

  structures::Cache& cache() { return cache_; }
  const structures::Cache& cache() const { return cache_; }
  TileReports& reports() { return reports_; }
  const TileReports& reports() const { return reports_; }

 private:
  structures::Packing packing_of(const messages::QuadMessage& quad, Side side) const;

  bool compression_, whole_lines_;
  uint32_t line_bytes_, prefetches_;
  ZStencilCounters& counters_;
  structures::Cache cache_;
  TileReports reports_;
};

}  // namespace cutaway::boxes
