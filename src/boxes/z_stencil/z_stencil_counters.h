#pragma once

#include "base/counter.h"

namespace cutaway::boxes {

struct ZStencilCounters {
  uint64_t quads = 0, fragments_tested = 0, fragments_failed = 0, late_quads = 0, late_failed = 0;
  uint64_t driver_fragments_failed = 0, driver_late_failed = 0, cache_hits = 0, cache_merged = 0,
           cache_misses = 0;
  uint64_t prefetches = 0, prefetches_dropped = 0;
  uint64_t quads_ended = 0, tiles_told = 0, tiles_put_off = 0;
  uint64_t blocks_plain = 0, blocks_two = 0, blocks_one = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ZStencilCounters;
    v("quads", &C::quads, "quads", "quads taken before shading");
    v("fragments_tested", &C::fragments_tested, "fragments", "fragments tested before shading");
    v("fragments_failed", &C::fragments_failed, "fragments", "fragments tested before shading that failed",
      CounterRole::kFragmentsKilledEarlyZ);
    v("driver_fragments_failed", &C::driver_fragments_failed, "fragments",
      "fragments of the driver's own draws that failed before shading", CounterRole::kFragmentsKilledEarlyZ,
      CountOf::kDriver);
    v("late_quads", &C::late_quads, "quads", "quads tested after shading");
    v("late_failed", &C::late_failed, "fragments", "fragments that failed after shading",
      CounterRole::kFragmentsKilledLateZ);
    v("driver_late_failed", &C::driver_late_failed, "fragments",
      "fragments of the driver's own draws that failed after shading", CounterRole::kFragmentsKilledLateZ,
      CountOf::kDriver);
    v("cache_hits", &C::cache_hits, "lines", "Z cache: lines found", CounterRole::kCacheHits);
    v("cache_merged", &C::cache_merged, "lines", "lines found that wait for a sector requested before");
    v("cache_misses", &C::cache_misses, "lines", "Z cache: lines requested", CounterRole::kCacheMisses);
    v("prefetches", &C::prefetches, "lines",
      "lines requested before shading for tests after it; these find them (prefetches)");
    v("prefetches_dropped", &C::prefetches_dropped, "quads",
      "samples of quads whose depths were not requested before shading, for want of room");
    v("quads_ended", &C::quads_ended, "quads",
      "quads that passed and end here: no color is written, and no program decides on them");
    v("tiles_told", &C::tiles_told, "tiles", "tiles whose bounds were read and reported to hierarchical Z");
    v("tiles_put_off", &C::tiles_put_off, "tiles",
      "tiles not reported at once, since too many wait; they are reported when they leave the cache");
    v("blocks_plain", &C::blocks_plain, "blocks",
      "blocks of a surface with block tags, written back as they are because they are near no few planes");
    v("blocks_two", &C::blocks_two, "blocks", "blocks written back compressed, in two sectors of four");
    v("blocks_one", &C::blocks_one, "blocks", "blocks written back compressed, in one sector of four");
  }
};

}  // namespace cutaway::boxes
