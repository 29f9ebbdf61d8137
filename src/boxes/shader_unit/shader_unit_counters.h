#pragma once

#include <cstdint>

#include "base/counter.h"

namespace cutaway::boxes {

struct ShaderUnitCounters {
  uint64_t vertex_groups = 0, fragment_groups = 0, instructions = 0, vertex_instructions = 0,
           texture_instructions = 0, scratch_instructions = 0, passes_for_others = 0;
  uint64_t driver_instructions = 0, driver_fragments_killed = 0;
  uint64_t fragments_killed = 0, resident_groups = 0, register_stalls = 0;
  // Every cycle of the unit counts in one of these, or in the cycles of the structures below.
  uint64_t cycles_issued = 0, cycles_dependency = 0, cycles_texture = 0, cycles_registers = 0,
           cycles_inputs = 0, cycles_output = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ShaderUnitCounters;
    v("vertex_groups", &C::vertex_groups, "groups", "vertex groups started");
    v("fragment_groups", &C::fragment_groups, "groups", "fragment groups started");
    v("instructions", &C::instructions, "instructions", "issued, one per group", CounterRole::kInstructions);
    v("driver_instructions", &C::driver_instructions, "instructions", "of those: of the driver's own draws",
      CounterRole::kInstructions, CountOf::kDriver);
    v("vertex_instructions", &C::vertex_instructions, "instructions", "instructions issued by vertex groups");
    v("texture_instructions", &C::texture_instructions, "instructions",
      "instructions that went to the texture unit");
    v("scratch_instructions", &C::scratch_instructions, "instructions",
      "loads from and stores to scratch memory");
    v("passes_for_others", &C::passes_for_others, "passes",
      "of groups that wait at a branch while others of their batch execute (branch_groups)");
    v("fragments_killed", &C::fragments_killed, "fragments", "discarded by their program",
      CounterRole::kFragmentsKilledShader);
    v("driver_fragments_killed", &C::driver_fragments_killed, "fragments",
      "of those: of the driver's own draws", CounterRole::kFragmentsKilledShader, CountOf::kDriver);
    v("resident_groups", &C::resident_groups, "groups x cycles",
      "groups inside, summed over time until one started or ended last");
    v("register_stalls", &C::register_stalls, "groups",
      "groups that had to wait for registers or scratch memory when they came to the front");
    v("cycles_issued", &C::cycles_issued, "cycles", "in which its issue port was occupied");
    v("cycles_dependency", &C::cycles_dependency, "cycles",
      "in which none issued: groups waited for results, branches and the ends of the pipelines");
    v("cycles_texture", &C::cycles_texture, "cycles",
      "in which none issued: most groups waited for their texture unit");
    v("cycles_registers", &C::cycles_registers, "cycles",
      "in which none issued, and a group at the input found no registers or scratch memory");
    v("cycles_inputs", &C::cycles_inputs, "cycles", "in which it held no group, or one that was coming in");
    v("cycles_output", &C::cycles_output, "cycles",
      "in which none issued: results of finished groups left, or waited for somebody to take them");
  }
};

// Counters of shader units that run programs that work on primitives.
struct UnitPrimitiveCounters {
  uint64_t groups = 0, instructions = 0, vertex_loads = 0, vertices_emitted = 0, patch_accesses = 0;

  template <class V>
  static void fields(V&& v) {
    using C = UnitPrimitiveCounters;
    v("groups", &C::groups, "groups", "of invocations started");
    v("instructions", &C::instructions, "instructions", "issued by them");
    v("vertex_loads", &C::vertex_loads, "instructions", "of those: that loaded from vertices of a primitive");
    v("patch_accesses", &C::patch_accesses, "instructions",
      "of those: loads, stores and atomics of the memory of a patch");
    v("vertices_emitted", &C::vertices_emitted, "vertices", "by all threads of the groups");
  }
};

// Counters of shader units whose fragment programs can ask for interpolants.
struct UnitPullCounters {
  uint64_t instructions = 0, requests = 0, cycles_pull = 0;

  template <class V>
  static void fields(V&& v) {
    using C = UnitPullCounters;
    v("instructions", &C::instructions, "instructions", "that asked the interpolator");
    v("requests", &C::requests, "requests", "sent to it: one for each quad of an instruction");
    v("cycles_pull", &C::cycles_pull, "cycles",
      "in which none issued: most groups waited for the interpolator");
  }
};

// Counters of shader units that run compute programs, or programs that store to buffers and images.
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
