#pragma once

#include "base/counter.h"

namespace cutaway::boxes {

struct ZStencilCounters {
  uint64_t quads = 0, fragments_tested = 0, fragments_failed = 0, late_quads = 0, late_failed = 0;
  uint64_t driver_fragments_failed = 0, driver_late_failed = 0, cache_hits = 0, cache_merged = 0,
           cache_misses = 0;
  uint64_t quads_ended = 0, tiles_told = 0, tiles_put_off = 0;
  uint64_t blocks_plain = 0, blocks_two = 0, blocks_one = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ZStencilCounters;
    v("quads", &C::quads, "quads", "quads taken before shading");
    v("fragments_tested", &C::fragments_tested, "fragments", "fragments tested before shading");
    v("fragments_failed", &C::fragments_failed, "fragments", "of those: failed",
      CounterRole::kFragmentsKilledEarlyZ);
    v("driver_fragments_failed", &C::driver_fragments_failed, "fragments",
      "of those: of the driver's own draws", CounterRole::kFragmentsKilledEarlyZ, CountOf::kDriver);
    v("late_quads", &C::late_quads, "quads", "quads tested after shading");
    v("late_failed", &C::late_failed, "fragments", "fragments that failed after shading",
      CounterRole::kFragmentsKilledLateZ);
    v("driver_late_failed", &C::driver_late_failed, "fragments", "of those: of the driver's own draws",
      CounterRole::kFragmentsKilledLateZ, CountOf::kDriver);
    v("cache_hits", &C::cache_hits, "lines", "Z cache: lines found", CounterRole::kCacheHits);
    v("cache_merged", &C::cache_merged, "lines", "of those: that are on their way, asked for before");
    v("cache_misses", &C::cache_misses, "lines", "Z cache: lines asked for", CounterRole::kCacheMisses);
    v("quads_ended", &C::quads_ended, "quads",
      "that passed and end here: no color is written, and no program decides on them");
    v("tiles_told", &C::tiles_told, "tiles", "read for their bound, which hierarchical Z is told");
    v("tiles_put_off", &C::tiles_put_off, "tiles",
      "not told at once, since too many wait: they are when they leave the cache");
    v("blocks_plain", &C::blocks_plain, "blocks",
      "of a surface with block tags, written back as they are: they lie near no few planes");
    v("blocks_two", &C::blocks_two, "blocks", "written back compressed, in two sectors of four");
    v("blocks_one", &C::blocks_one, "blocks", "written back compressed, in one sector of four");
  }
};

}  // namespace cutaway::boxes
