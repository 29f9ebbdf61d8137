#pragma once

#include <cstdint>

#include "base/counter.h"

namespace cutaway::boxes {

struct ShaderUnitCounters {
  uint64_t vertex_groups = 0, fragment_groups = 0, instructions = 0, vertex_instructions = 0,
           texture_instructions = 0, scratch_instructions = 0, passes_for_others = 0,
           interpolation_passes = 0, register_passes = 0, register_splits = 0;
  uint64_t driver_instructions = 0, driver_fragments_killed = 0;
  uint64_t fragments_killed = 0, resident_groups = 0, register_stalls = 0;
  // Every cycle of the unit counts in one of these, or in the cycles of the structures below.
  uint64_t cycles_issued = 0, cycles_dependency = 0, cycles_texture = 0, cycles_registers = 0,
           cycles_inputs = 0, cycles_output = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ShaderUnitCounters;
    v("vertex_groups", &C::vertex_groups, "groups", "groups of vertices started");
    v("fragment_groups", &C::fragment_groups, "groups", "groups of fragments started");
    v("instructions", &C::instructions, "instructions", "instructions issued, one per group",
      CounterRole::kInstructions);
    v("driver_instructions", &C::driver_instructions, "instructions",
      "instructions issued for the driver's own draws", CounterRole::kInstructions, CountOf::kDriver);
    v("vertex_instructions", &C::vertex_instructions, "instructions",
      "instructions issued by groups of vertices");
    v("texture_instructions", &C::texture_instructions, "instructions",
      "instructions that went to the texture unit");
    v("scratch_instructions", &C::scratch_instructions, "instructions",
      "loads from and stores to scratch memory");
    v("passes_for_others", &C::passes_for_others, "passes",
      "passes of groups that wait at a branch while others of their batch execute (branch_groups)");
    v("interpolation_passes", &C::interpolation_passes, "passes",
      "passes in which interpolants of groups of fragments were evaluated (interpolation_passes)");
    v("register_passes", &C::register_passes, "passes",
      "further passes of instructions whose operands cannot be read in one (register_reads)");
    v("register_splits", &C::register_splits, "instructions",
      "instructions that did not issue with those before, as these left their operands no port");
    v("fragments_killed", &C::fragments_killed, "fragments", "fragments discarded by their program",
      CounterRole::kFragmentsKilledShader);
    v("driver_fragments_killed", &C::driver_fragments_killed, "fragments",
      "fragments of the driver's own draws, discarded by their program", CounterRole::kFragmentsKilledShader,
      CountOf::kDriver);
    v("resident_groups", &C::resident_groups, "groups x cycles",
      "groups inside, summed over cycles up to the last start or end of one");
    v("register_stalls", &C::register_stalls, "groups",
      "groups that had to wait for registers or scratch memory when they came to the front");
    v("cycles_issued", &C::cycles_issued, "cycles", "cycles in which its issue port was occupied");
    v("cycles_dependency", &C::cycles_dependency, "cycles",
      "cycles without an issue in which groups waited for results, branches and the ends of the pipelines");
    v("cycles_texture", &C::cycles_texture, "cycles",
      "cycles without an issue in which most groups waited for their texture unit");
    v("cycles_registers", &C::cycles_registers, "cycles",
      "cycles without an issue in which a group at the input found no registers or scratch memory");
    v("cycles_inputs", &C::cycles_inputs, "cycles",
      "cycles in which it held no group, or one that was coming in");
    v("cycles_output", &C::cycles_output, "cycles",
      "cycles without an issue in which results of finished groups left, or waited to be taken");
  }
};

// Counters of shader units that run programs that work on primitives.
struct UnitPrimitiveCounters {
  uint64_t groups = 0, instructions = 0, vertex_loads = 0, vertices_emitted = 0, patch_accesses = 0;

  template <class V>
  static void fields(V&& v) {
    using C = UnitPrimitiveCounters;
    v("groups", &C::groups, "groups", "groups of invocations started");
    v("instructions", &C::instructions, "instructions", "instructions issued by these groups");
    v("vertex_loads", &C::vertex_loads, "instructions",
      "instructions of these that loaded from vertices of a primitive");
    v("patch_accesses", &C::patch_accesses, "instructions",
      "instructions of these that loaded from, stored to or did atomics on the memory of a patch");
    v("vertices_emitted", &C::vertices_emitted, "vertices",
      "vertices emitted by all threads of these groups");
  }
};

// Counters of shader units whose fragment programs can ask for interpolants.
struct UnitPullCounters {
  uint64_t instructions = 0, requests = 0, cycles_pull = 0;

  template <class V>
  static void fields(V&& v) {
    using C = UnitPullCounters;
    v("instructions", &C::instructions, "instructions", "that asked the interpolator");
    v("requests", &C::requests, "requests",
      "requests sent to the interpolator: one for each quad of an instruction");
    v("cycles_pull", &C::cycles_pull, "cycles",
      "cycles without an issue in which most groups waited for the interpolator");
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
    v("workgroups", &C::workgroups, "workgroups", "workgroups started");
    v("workgroup_groups", &C::workgroup_groups, "groups", "groups of threads of workgroups started");
    v("compute_instructions", &C::compute_instructions, "instructions",
      "instructions issued by groups of workgroups");
    v("barriers", &C::barriers, "groups", "groups that reached a barrier");
    v("memory_barriers", &C::memory_barriers, "groups",
      "groups that reached a barrier at which they wait for no other group");
    v("shared_instructions", &C::shared_instructions, "instructions",
      "loads, stores and atomics in memory of a workgroup");
    v("shared_conflicts", &C::shared_conflicts, "cycles",
      "further cycles of the issue port because words were in the same bank, or many for each thread");
    v("storage_instructions", &C::storage_instructions, "instructions",
      "loads, stores and atomics that went to the storage cache");
    v("storage_requests", &C::storage_requests, "requests",
      "requests sent to the storage cache: one for each line of an instruction, except hits of the first "
      "level");
    v("l1_hits", &C::l1_hits, "requests", "first level before the storage cache: loads that found a line",
      CounterRole::kCacheHits);
    v("l1_merged", &C::l1_merged, "requests", "loads that waited for a line that another had requested");
    v("l1_misses", &C::l1_misses, "requests", "first level before the storage cache: loads that were sent on",
      CounterRole::kCacheMisses);
    v("l1_invalidates", &C::l1_invalidates, "times",
      "invalidations of the whole first level, for barriers and packets");
    v("cycles_storage", &C::cycles_storage, "cycles",
      "cycles without an issue in which most groups waited for the storage cache");
    v("cycles_barrier", &C::cycles_barrier, "cycles",
      "cycles without an issue in which groups waited at a barrier");
  }
};

}  // namespace cutaway::boxes
