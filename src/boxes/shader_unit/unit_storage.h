#pragma once

#include <cstdint>
#include <vector>

#include "base/counter.h"
#include "parts/interleave.h"
#include "parts/messages.h"

namespace cutaway::boxes {

// The storage cache, as shader units see it.
struct StorageSlices {
  unsigned slices = 0;
  unsigned line_bytes = 64;
  parts::Interleave interleave;
};

// What a load gets from the first level, and when.
struct L1Answer {
  uint64_t ready = 0;  // a cycle
  parts::PoolRef<parts::StorageJob> job;
};

// A workgroup inside a shader unit.
struct UnitWorkgroup {
  bool used = false;
  parts::Workgroup message;
  uint32_t groups = 0, started = 0;  // of threads, all together; that have come in
  uint32_t running = 0;              // that have not executed their end
  uint32_t left = 0;                 // that have not left the unit
  uint32_t arrived = 0;              // that wait at a barrier
  uint32_t fences = 0;               // isa::Fence bits of the barriers that they wait at
  uint64_t shared_done = 0;          // the cycle from which on their accesses to its memory are done
  uint32_t registers = 0, scratch_bytes = 0, shared_bytes = 0;  // of the unit's, until it ends
  std::vector<uint32_t> shared;  // its memory, as large as any before it has asked for
  uint32_t shared_words = 0;
  std::vector<uint16_t> members;  // groups that came in
};

// Of shader units that run compute programs, or programs that store to buffers and images.
struct UnitStorageCounters {
  uint64_t workgroups = 0, workgroup_groups = 0, compute_instructions = 0, barriers = 0;
  uint64_t shared_instructions = 0, shared_conflicts = 0;
  uint64_t memory_barriers = 0, storage_instructions = 0, storage_requests = 0;
  uint64_t l1_hits = 0, l1_merged = 0, l1_misses = 0, l1_invalidates = 0;
  uint64_t cycles_storage = 0, cycles_barrier = 0;

  template <class V>
  static void fields(V&& v) {
    using C = UnitStorageCounters;
    v("workgroups", &C::workgroups, "workgroups", "started");
    v("workgroup_groups", &C::workgroup_groups, "groups", "of threads of workgroups started");
    v("compute_instructions", &C::compute_instructions, "instructions",
      "instructions issued by groups of workgroups");
    v("barriers", &C::barriers, "groups", "that reached a barrier");
    v("memory_barriers", &C::memory_barriers, "groups", "that reached one where they wait for nobody else");
    v("shared_instructions", &C::shared_instructions, "instructions",
      "loads, stores and atomics in memory of a workgroup");
    v("shared_conflicts", &C::shared_conflicts, "cycles",
      "of the issue port that they took because words were of the same bank, or many for each thread");
    v("storage_instructions", &C::storage_instructions, "instructions",
      "loads, stores and atomics that went to the storage cache");
    v("storage_requests", &C::storage_requests, "requests",
      "sent to it: one for each line of an instruction, but for those that hit the first level");
    v("l1_hits", &C::l1_hits, "requests", "first level before the storage cache: loads that found a line",
      CounterRole::kCacheHits);
    v("l1_merged", &C::l1_merged, "requests", "of those: that waited for one that another had asked for");
    v("l1_misses", &C::l1_misses, "requests", "first level before the storage cache: loads that were sent on",
      CounterRole::kCacheMisses);
    v("l1_invalidates", &C::l1_invalidates, "times", "the first level forgot all: for barriers and packets");
    v("cycles_storage", &C::cycles_storage, "cycles",
      "in which none issued: most groups waited for the storage cache");
    v("cycles_barrier", &C::cycles_barrier, "cycles", "in which none issued: groups waited at a barrier");
  }
};

}  // namespace cutaway::boxes
