#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/interleave.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Handling of several atomics of one request on the same word. kInTurn: each takes a cycle, in the order of
// lanes. kCombined: operations whose order does not matter (additions, minima, maxima, bits) are combined
// first, and the word takes one cycle.
enum class SameWord : uint8_t { kInTurn, kCombined };
inline constexpr EnumName<SameWord> kSameWordNames[] = {{SameWord::kInTurn, "in-turn"},
                                                        {SameWord::kCombined, "combined"}};

struct StorageCacheSpec {
  unsigned slices = 0;
  unsigned interleave = 256;
  unsigned cache_lines = 256;
  unsigned cache_ways = 8;
  structures::ReplacementName cache_replacement = "lru";
  unsigned line_bytes = 128;
  unsigned latency = 20;
  unsigned queue = 4;
  unsigned pending = 64;
  unsigned write_backs = 16;
  unsigned atomics_per_cycle = 0;
  SameWord same_word = SameWord::kInTurn;

  structures::Interleave interleaved() const { return {slices ? slices : 1, interleave}; }

  template <class V>
  static void fields(V&& v) {
    using S = StorageCacheSpec;
    v("slices", &S::slices, "slices", 0u, 16u,
      "slices of the cache of buffers and images that programs write, each a client of memory; 0: there is "
      "none, and no program stores");
    v("interleave", &S::interleave, "bytes", 64u, 65536u,
      "consecutive bytes of one slice; a multiple of line_bytes");
    v("cache_lines", &S::cache_lines, "lines", 4u, 65536u, "lines of a slice");
    v("cache_ways", &S::cache_ways, "lines", 1u, 64u, "ways: lines of a set");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
    v("line_bytes", &S::line_bytes, "bytes", 64u, 256u,
      "bytes of a line, and of a transaction with a shader unit; 64, 128 or 256");
    v("latency", &S::latency, "cycles", 1u, 1000u,
      "cycles of a slice, from a request to its reply if it hits");
    v("queue", &S::queue, "requests", 1u, 256u, "requests of each shader unit, waiting at each slice");
    v("pending", &S::pending, "requests", 1u, 1024u, "requests inside a slice, between look-up and reply");
    v("write_backs", &S::write_backs, "sectors", 8u, 256u,
      "sectors that evictions may leave waiting for memory");
    v("atomics_per_cycle", &S::atomics_per_cycle, "words", 0u, 64u,
      "different words on which a slice executes an atomic per cycle; 0: it executes none");
    v("same_word", &S::same_word, kSameWordNames,
      "atomics of a request on one word: in-turn, one in a cycle; combined, all in one cycle, except "
      "exchanges, and each gets the value that it would get in turn");
  }
};

struct StorageCacheCounters {
  uint64_t loads = 0, stores = 0, atomics = 0, atomic_lanes = 0, atomics_combined = 0, atomic_conflicts = 0;
  uint64_t cache_hits = 0, merged = 0, cache_misses = 0, contended = 0;

  template <class V>
  static void fields(V&& v) {
    using C = StorageCacheCounters;
    v("loads", &C::loads, "requests", "loads executed: the bytes of a line for a group");
    v("stores", &C::stores, "requests", "stores executed");
    v("atomics", &C::atomics, "requests", "requests with atomics executed");
    v("atomic_lanes", &C::atomic_lanes, "atomics", "atomics in these requests: one for each lane");
    v("atomics_combined", &C::atomics_combined, "atomics",
      "atomics executed in the cycle of another on the same word");
    v("atomic_conflicts", &C::atomic_conflicts, "cycles",
      "cycles that requests with atomics took beyond their first");
    v("cache_hits", &C::cache_hits, "requests",
      "storage cache: requests whose bytes are all present or under way", CounterRole::kCacheHits);
    v("merged", &C::merged, "requests", "hits that wait for bytes requested before");
    v("cache_misses", &C::cache_misses, "requests",
      "storage cache: requests that had to allocate the line or ask memory", CounterRole::kCacheMisses);
    v("contended", &C::contended, "requests", "requests taken while another shader unit waited");
  }
};

// A slice of the cache for everything that programs write to buffers and images, with the atomic units beside
// its lines (DX-12). It owns its share of the addresses, so each byte has one home. Requests are looked up on
// arrival and executed in that order: an answered request is visible to all.
class StorageCache final : public engine::Box {
 public:
  // slice: less than spec.slices. requesters: shader units.
  StorageCache(std::string path, const StorageCacheSpec& spec, unsigned slice, unsigned requesters);

  engine::Inputs<messages::StorageMessage> requests_in;  // by shader unit
  std::vector<engine::Out<messages::StorageMessage>> replies_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;

  StorageCacheCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  // A request after look-up. Its line is pinned until it has been executed.
  struct Pending {
    messages::PoolRef<messages::StorageJob> job;
    unsigned requester = 0;
    uint32_t line = 0, fetched = 0;  // sectors, one bit each
    engine::Cycle ready = 0;         // earliest cycle
    bool begun = false;              // the atomic units have begun it
  };

  bool carry_out(engine::Cycle now);
  bool take(engine::Cycle now);
  bool look_up(engine::Cycle now, unsigned requester);
  bool control(engine::Cycle now);
  void load(const Pending& pending) const;
  void store(const Pending& pending);
  void do_atomics(const Pending& pending);
  // The work of a request's atomics for the atomic units.
  struct AtomicWork {
    uint32_t operations = 0, most_on_word = 1, combined = 0;
  };
  AtomicWork atomic_work(const messages::StorageJob& job) const;
  engine::Cycle atomic_cycles(const AtomicWork& work) const;
  uint32_t sectors_to_read(const messages::StorageJob& job) const;

  StorageCacheSpec spec_;
  structures::Interleave interleave_;
  unsigned slice_;
  structures::Cache cache_;  // by addresses within the slice
  structures::Ring<Pending> pending_;
  unsigned turn_ = 0;
};

}  // namespace cutaway::boxes
