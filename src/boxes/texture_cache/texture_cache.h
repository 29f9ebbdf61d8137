#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/index_set.h"
#include "structures/interleave.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct TextureCacheSpec {
  unsigned slices = 0;
  bool is_private = false;
  unsigned interleave = 256;
  unsigned cache_lines = 256;
  unsigned cache_ways = 8;
  structures::ReplacementName cache_replacement = "lru";
  unsigned line_bytes = 256;
  unsigned latency = 12;
  unsigned queue = 4;
  unsigned pending = 64;

  structures::Interleave interleaved() const { return {slices && !is_private ? slices : 1, interleave}; }

  template <class V>
  static void fields(V&& v) {
    using S = TextureCacheSpec;
    v("slices", &S::slices, "slices", 0u, 16u,
      "slices of the second level of texture caches, each a client of memory; 0: texture units are clients "
      "themselves");
    v("private", &S::is_private, "",
      "each texture unit has a slice of its own, for all addresses; false: all units share the slices, and "
      "each slice has a part of the addresses");
    v("interleave", &S::interleave, "bytes", 64u, 65536u,
      "consecutive bytes of one slice, if these are shared; a multiple of 64");
    v("cache_lines", &S::cache_lines, "lines", 4u, 65536u, "lines of a slice");
    v("cache_ways", &S::cache_ways, "lines", 1u, 64u, "ways: lines of a set");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u, "bytes of a line; a multiple of 64");
    v("latency", &S::latency, "cycles", 1u, 1000u,
      "cycles of a slice, from a request to its reply if it hits");
    v("queue", &S::queue, "requests", 1u, 256u, "requests of each texture unit, waiting at each slice");
    v("pending", &S::pending, "requests", 1u, 1024u, "requests inside a slice, between look-up and reply");
  }
};

struct TextureCacheCounters {
  uint64_t cache_hits = 0, merged = 0, cache_misses = 0, contended = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TextureCacheCounters;
    v("cache_hits", &C::cache_hits, "sectors",
      "second-level texture cache: requests whose bytes were present or under way", CounterRole::kCacheHits);
    v("merged", &C::merged, "sectors", "hits that wait for bytes requested before");
    v("cache_misses", &C::cache_misses, "sectors", "second-level texture cache: requests that went to memory",
      CounterRole::kCacheMisses);
    v("contended", &C::contended, "requests", "requests taken while another texture unit waited");
  }
};

// A slice of the second-level texture cache: serves sectors that the texture units' caches miss, in its share
// of the addresses. Missing sectors are read from memory, once for all requesters.
class TextureCache final : public engine::Box {
 public:
  // slice: its number among those that divide the addresses; 0 if private. requesters: texture units, any
  // number. grain: least bytes per request, of
  // the units and of the slice (structures::CacheGeometry).
  TextureCache(std::string path, const TextureCacheSpec& spec, unsigned slice, unsigned requesters,
               uint32_t grain = messages::kSectorBytes);

  engine::Inputs<messages::MemoryRequest> requests_in;  // by texture unit; reads
  std::vector<engine::Out<messages::MemoryReply>> replies_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  TextureCacheCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  // A request after look-up. Its line is pinned until its reply has left.
  struct Pending {
    unsigned requester = 0;
    uint32_t tag = 0;  // the requester's tag
    uint32_t line = 0, sector = 0;
    messages::ByteMask bytes = 0;  // requested bytes of the sector
    engine::Cycle ready = 0;       // earliest cycle
  };

  bool fill(engine::Cycle now);
  bool read(engine::Cycle now);
  void queue_reply(const Pending& pending);
  bool reply(engine::Cycle now);
  bool take(engine::Cycle now);
  bool look_up(engine::Cycle now, unsigned requester);
  bool control(engine::Cycle now);
  bool there(const Pending& pending) const { return cache_.settled(pending.line, grains(pending)); }
  uint32_t grains(const Pending& pending) const { return cache_.grains_of(pending.sector, pending.bytes); }

  TextureCacheSpec spec_;
  structures::Interleave interleave_;
  unsigned slice_;
  structures::Cache cache_;  // by addresses within the slice
  // Stages of a request: in the pipeline; then, unless its sector is present, waiting for memory; then queued
  // for the wire to its texture unit.
  structures::Ring<Pending> pipeline_;
  std::vector<Pending> waiting_;  // oldest first
  std::vector<structures::Ring<Pending>> replies_;
  structures::IndexSet answered_;  // texture units with replies in that queue
  uint32_t pending_ = 0;           // in all three stages
  unsigned request_turn_ = 0, reply_turn_ = 0;
};

}  // namespace cutaway::boxes
