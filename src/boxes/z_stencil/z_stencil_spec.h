#pragma once

#include "base/field.h"
#include "structures/depth_order/depth_order.h"
#include "structures/replacement/replacement.h"

namespace cutaway::boxes {

struct ZStencilSpec {
  bool fast_clear = true;
  bool compression = true;
  unsigned queue = 64;
  unsigned late_queue = 16;
  unsigned cache_lines = 64;
  unsigned cache_ways = 4;
  unsigned cache_mshrs = 64;
  structures::ReplacementName cache_replacement = "lru";
  unsigned line_bytes = 256;
  bool whole_lines = false;
  unsigned write_backs = 16;
  unsigned report_queue = 8;
  unsigned report_cycles = 4;
  unsigned quads_per_cycle = 1;
  structures::DepthOrderName write_order = "flush";
  unsigned trackers = 256;
  unsigned prefetches = 0;

  // True if the unit must be told of every quad that it would have tested after shading.
  bool counts_quads() const { return structures::DepthOrders::make(write_order, trackers)->counts_quads(); }

  template <class V>
  static void fields(V&& v) {
    using S = ZStencilSpec;
    v("fast_clear", &S::fast_clear, "",
      "clears of depth and stencil set block tags, if these can represent them");
    v("compression", &S::compression, "",
      "blocks of a surface that has block tags are written compressed, in one or two sectors of four, if "
      "they are near few planes (func/rop/depth_block.h)");
    v("queue", &S::queue, "quads", 1u, 1024u,
      "quads waiting for their line before shading, counted once for each tested sample");
    v("late_queue", &S::late_queue, "quads", 1u, 1024u,
      "quads waiting for their line after shading, counted in the same way");
    v("cache_lines", &S::cache_lines, "lines", 4u, 4096u, "lines of the Z and stencil cache");
    v("cache_ways", &S::cache_ways, "lines", 2u, 64u, "ways: lines of a set");
    v("cache_mshrs", &S::cache_mshrs, "lines", 1u, 4096u, "MSHRs: lines that may wait for memory at a time");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u, "bytes of a line; a multiple of 64");
    v("whole_lines", &S::whole_lines, "",
      "lines move whole: a miss reads all 64-byte sectors of its line, and a dirty line whose bytes are all "
      "there is written back with its clean sectors too; false: sectors that are needed, and dirty ones");
    v("write_backs", &S::write_backs, "sectors", 8u, 256u,
      "evicted 64-byte sectors waiting for the memory port, in addition to those of one line");
    v("report_queue", &S::report_queue, "lines", 0u, 1024u,
      "lines that tests have changed and left, waiting to be read for hierarchical Z; 0: a line is read "
      "only when it leaves the cache");
    v("report_cycles", &S::report_cycles, "cycles", 1u, 64u, "cycles to read a line for hierarchical Z");
    v("quads_per_cycle", &S::quads_per_cycle, "quads", 1u, 8u,
      "quads, or samples of quads, taken and tested before shading per cycle; after shading it is one");
    v("write_order", &S::write_order,
      "order of depth writes before and after shading: flush, a draw that decides before shading waits until "
      "draws tested after it have come back; stay_late, after one of these all draws are tested after shading "
      "until a barrier; track, a quad waits for those of its tile alone; write_late, nothing is written "
      "before shading");
    v("trackers", &S::trackers, "counters", 1u, 65536u,
      "with write_order \"track\": counters of quads to be tested after shading, each of a tile of 8x8 pixels "
      "or of several");
    v("prefetches", &S::prefetches, "accesses", 0u, 4096u,
      "a quad that is tested only after shading reads the depths that it will need into the cache before, "
      "while fewer accesses to memory than this are under way; 0: it reads them when it comes back");
  }
};

}  // namespace cutaway::boxes
