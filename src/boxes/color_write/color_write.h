#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "messages/quad_ahead.h"
#include "structures/cache.h"
#include "structures/cache_port.h"
#include "structures/quad_cache.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct ColorWriteSpec {
  bool fast_clear = true;
  unsigned queue = 64;
  unsigned cache_lines = 64;
  unsigned cache_ways = 4;
  unsigned cache_mshrs = 64;
  structures::ReplacementName cache_replacement = "lru";
  unsigned line_bytes = 256;
  bool whole_lines = false;
  unsigned write_backs = 16;
  bool compression = false;
  unsigned bytes_per_cycle = 0;
  unsigned prefetches = 0;

  template <class V>
  static void fields(V&& v) {
    using S = ColorWriteSpec;
    v("fast_clear", &S::fast_clear, "", "clears of color set block tags, if these can represent them");
    v("queue", &S::queue, "quads", 1u, 1024u,
      "quads waiting for their line, counted once for each target and sample");
    v("cache_lines", &S::cache_lines, "lines", 4u, 4096u, "lines of the color cache");
    v("cache_ways", &S::cache_ways, "lines", 2u, 64u, "ways: lines of a set");
    v("cache_mshrs", &S::cache_mshrs, "lines", 1u, 4096u, "MSHRs: lines that may wait for memory at a time");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u, "bytes of a line; a multiple of 64");
    v("whole_lines", &S::whole_lines, "",
      "lines move whole: a miss reads all 64-byte sectors of its line, and a dirty line whose bytes are all "
      "there is written back with its clean sectors too; false: sectors that are needed, and dirty ones");
    v("write_backs", &S::write_backs, "sectors", 8u, 256u,
      "evicted 64-byte sectors waiting for the memory port, in addition to those of one line");
    v("compression", &S::compression, "",
      "equal samples of multisampled targets with block tags are written back once");
    v("bytes_per_cycle", &S::bytes_per_cycle, "bytes", 0u, 64u,
      "bytes per cycle of the four pixels of a quad, as they are stored; wider pixels take several cycles; "
      "0: no limit");
    v("prefetches", &S::prefetches, "accesses", 0u, 4096u,
      "a quad that goes to be shaded reads the colors that it will blend with into the cache, while fewer "
      "accesses to memory than this are under way; 0: it reads them when it comes back");
  }
};

struct ColorWriteCounters {
  uint64_t quads = 0, fragments = 0, driver_fragments = 0, blended = 0, cache_hits = 0, cache_merged = 0,
           cache_misses = 0;
  uint64_t prefetches = 0, prefetches_dropped = 0;
  uint64_t stacks = 0, stacked_sectors = 0, apart_sectors = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ColorWriteCounters;
    v("quads", &C::quads, "quads", "quads taken");
    v("fragments", &C::fragments, "fragments", "samples written, once per target",
      CounterRole::kFragmentsWritten);
    v("driver_fragments", &C::driver_fragments, "fragments", "samples written by the driver's own draws",
      CounterRole::kFragmentsWritten, CountOf::kDriver);
    v("blended", &C::blended, "fragments", "fragments written with the stored color read first");
    v("cache_hits", &C::cache_hits, "lines", "color cache: lines found", CounterRole::kCacheHits);
    v("cache_merged", &C::cache_merged, "lines", "lines found that wait for a sector requested before");
    v("cache_misses", &C::cache_misses, "lines", "color cache: lines requested or allocated",
      CounterRole::kCacheMisses);
    v("prefetches", &C::prefetches, "lines",
      "lines requested before shading; quads that come back find them (prefetches)");
    v("prefetches_dropped", &C::prefetches_dropped, "quads",
      "targets and samples of quads whose colors were not requested before shading, for want of room");
    v("stacks", &C::stacks, "sectors",
      "sectors of multisampled targets with block tags, written back once for all their samples");
    v("stacked_sectors", &C::stacked_sectors, "sectors",
      "dirty sectors of samples that such a write replaced");
    v("apart_sectors", &C::apart_sectors, "sectors",
      "sectors of such targets, written back for one sample because the others differ or are not all in "
      "the cache");
  }
};

// Blends and writes the quads of its own tiles: one quad, target and sample per cycle, in order (ATT-3); wide
// pixels take several cycles.
class ColorWrite final : public engine::Box {
 public:
  ColorWrite(std::string path, const ColorWriteSpec& spec);

  engine::In<messages::ShadedQuad> quads_in;  // from Z and stencil (late test)
  engine::In<messages::QuadAhead> ahead_in;   // from there too, before shading; only with prefetches
  engine::Out<messages::DrawDone> draw_done;  // to the command processor
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  ColorWriteCounters counters;

  structures::Cache& cache() { return cache_; }  // for fault injection

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  struct Job {
    messages::ShadedQuad quad;  // moved to the last target and sample; the others hold a copy
    uint32_t target = 0, sample = 0;
    uint32_t mask = 0;  // lanes to write
    structures::QuadAccess access;
    bool fetches = false;
  };
  bool take(engine::Cycle now);
  void prefetch(const messages::QuadMessage& quad);
  bool finish(engine::Cycle now);
  bool control(engine::Cycle now);
  structures::Packing packing_of(const messages::QuadMessage& quad, uint32_t target) const;
  void count_samples(const messages::QuadMessage& quad);
  // The next target and sample of a quad, from a given one on. With one sample: sample 0.
  struct Place {
    uint32_t target = 0, sample = 0;
  };
  Place next_place(const messages::ShadedQuad& quad, Place from) const;
  void write(Job& job);
  // color: values by lane, of written lanes; null: colors are not logged.
  void count_written(const Job& job, const uint32_t* color);

  ColorWriteSpec spec_;
  structures::Cache cache_;
  structures::Ring<Job> jobs_;
  engine::Cycle free_ = 0;  // cycle in which the previous quad's pixels have been written
  bool waits_ = false;      // the newest job has a line to pin
  Place next_;              // of the quad at the port
  uint64_t samples_ = 0;    // samples passed of the draw whose end has not come
};

}  // namespace cutaway::boxes
