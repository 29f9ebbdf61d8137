#pragma once

#include <cstdint>
#include <string>

#include "arch/state.h"
#include "base/field.h"
#include "boxes/shader_unit/fragment_window.h"
#include "boxes/shader_unit/group_scheduler.h"
#include "boxes/shader_unit/issue_policy.h"
#include "boxes/shader_unit/loads_under_way.h"
#include "structures/replacement/replacement.h"

namespace cutaway::boxes {

// The parameters of a shader unit.
struct ShaderUnitSpec {
  unsigned group_lanes = 4;
  unsigned vertex_lanes = 0;
  unsigned threads = 112;
  unsigned input_threads = 16;
  unsigned inputs_per_cycle = 40;
  unsigned registers_per_thread = 4;
  unsigned register_granularity = 2;
  unsigned register_reads = 0;
  bool half_registers = false;
  unsigned scratch_bytes = 65536;
  unsigned simd_latency = 5;
  unsigned scalar_latency = 9;
  unsigned texture_latency = 5;
  unsigned texture_quads = 1;
  unsigned loads_under_way = 0;
  unsigned scratch_latency = 9;
  unsigned flow_latency = 4;
  unsigned flow_passes = 1;
  unsigned interpolation_passes = 0;
  unsigned scalar_passes = 1;
  unsigned reciprocal_passes = 1;
  unsigned double_passes = 0;
  bool free_end = false;
  unsigned pipeline_stages = 4;
  unsigned simd_lanes = 4;
  PolicyName<IssuePolicies> issue = "n-way";
  unsigned ways = 1;
  PolicyName<GroupSchedulers> scheduler = "round-robin";
  unsigned workgroups = 8;
  unsigned shared_bytes = 32768;
  unsigned shared_banks = 32;
  unsigned shared_latency = 9;
  unsigned barrier_latency = 4;
  unsigned vertex_latency = 9;
  unsigned fragment_groups = 0;
  unsigned branch_groups = 1;
  unsigned l1_lines = 0, l1_ways = 4, l1_latency = 20, l1_mshrs = 16;
  structures::ReplacementName l1_replacement = "lru";

  template <class V>
  static void fields(V&& v) {
    group_fields(v);
    latency_fields(v);
    issue_fields(v);
    workgroup_fields(v);
    l1_fields(v);
  }

  // Threads of a full group of a stage.
  unsigned lanes_of(arch::Stage stage) const {
    return stage == arch::Stage::kVertex && vertex_lanes ? vertex_lanes : group_lanes;
  }

  // Quads of a full group.
  unsigned group_quads() const { return (group_lanes + 3) / 4; }

  // The number of groups that the unit has room for. Throws a UserError that begins with `path`, the name of
  // the unit's table, if the parameters do not fit together. stages: those that the unit runs.
  uint32_t count_groups(const std::string& path, EnumSet<arch::Stage> stages) const;

 private:
  template <class V>
  static void group_fields(V& v) {
    using S = ShaderUnitSpec;
    v("group_lanes", &S::group_lanes, "threads", 1u, 64u,
      "threads of a group (warp) that share a program counter: a power of 2, and whole quads if fragments "
      "are shaded");
    v("vertex_lanes", &S::vertex_lanes, "threads", 0u, 64u,
      "threads of a group of vertices, if it holds fewer: a power of 2 up to group_lanes; groups of other "
      "stages hold group_lanes; 0 means group_lanes, too");
    v("threads", &S::threads, "threads", 1u, 4096u,
      "threads that execute at once if their registers fit: 1 to 1024 groups of group_lanes");
    v("input_threads", &S::input_threads, "threads", 4u, 1024u,
      "threads that wait at each kind of the unit's inputs");
    v("fragment_groups", &S::fragment_groups, "groups", 0u, FragmentWindow::kMostPlaces,
      "groups of fragments from the oldest inside to the newest, including those in between that have "
      "left; 0: as many as have room, in any order");
    v("branch_groups", &S::branch_groups, "groups", 1u, 64u,
      "groups of fragments that branch together: a batch of groups that came in one after the other, each "
      "of which takes the time of what any of them executes; 1: each branches alone");
    v("inputs_per_cycle", &S::inputs_per_cycle, "vectors", 1u, 4096u,
      "attributes or interpolants of threads, four words each, that enter per cycle; a group takes as many "
      "cycles as all of its own need");
    v("registers_per_thread", &S::registers_per_thread, "vectors", 1u, 128u,
      "temporaries with which all threads fit; the register file holds (threads + input_threads) x this");
    v("register_granularity", &S::register_granularity, "vectors", 1u, 32u,
      "temporaries of a thread are allocated in steps of this");
    v("register_reads", &S::register_reads, "vectors", 0u, 24u,
      "different temporaries of four 32-bit floats that a thread reads in a pass; one of halves counts half; "
      "an instruction that needs more takes further passes, and none joins others that leave it no port; 0: "
      "any number");
    v("half_registers", &S::half_registers, "",
      "true: a temporary of four floats of 16 bits takes half of a register; false: a whole one");
    v("scratch_bytes", &S::scratch_bytes, "bytes", 1024u, 1u << 20,
      "scratch memory of the unit, shared by the threads whose programs use some");
  }
  template <class V>
  static void latency_fields(V& v) {
    using S = ShaderUnitSpec;
    v("simd_latency", &S::simd_latency, "cycles", 1u, 64u,
      "execute stages of a four-component operation: from its issue to its result");
    v("scalar_latency", &S::scalar_latency, "cycles", 1u, 64u,
      "execute stages of a scalar operation: from its issue to its result");
    v("texture_latency", &S::texture_latency, "cycles", 1u, 64u,
      "execute stages that compute the addresses of a texture instruction: from its issue to its request");
    v("texture_quads", &S::texture_quads, "quads", 1u, 4u,
      "neighbouring quads of a group whose texture instruction or buffer load is one request: they leave in "
      "one cycle, and come back in one, when all of them have been filtered; a power of 2");
    v("loads_under_way", &S::loads_under_way, "loads", 0u, LoadsUnderWay::kMost,
      "loads of a group that are under way while it goes on: texture instructions, loads of buffers and "
      "images, and requests for interpolants; the group waits where an instruction reads or writes what one "
      "of them is going to write; 0: it waits for each before it goes on");
    v("scratch_latency", &S::scratch_latency, "cycles", 1u, 64u,
      "cycles from a load from scratch memory to its result");
    v("flow_latency", &S::flow_latency, "cycles", 1u, 64u,
      "cycles from a branch to the next instruction of its group");
    v("flow_passes", &S::flow_passes, "passes", 1u, 16u,
      "passes of all lanes of a group, for each IF, ELSE, ENDIF, LOOP, ENDLOOP, CALL and RET; other flow "
      "instructions take one");
    v("interpolation_passes", &S::interpolation_passes, "passes", 0u, 16u,
      "passes of all lanes of a group of fragments for each component of an interpolant that its program "
      "reads and that is not flat, before its first instruction: the unit evaluates it from barycentric "
      "coordinates; 0: it comes evaluated");
    v("scalar_passes", &S::scalar_passes, "passes", 1u, 16u,
      "passes of all lanes of a group, for each instruction of the scalar ALU but RCP and RSQ");
    v("reciprocal_passes", &S::reciprocal_passes, "passes", 1u, 16u,
      "passes of all lanes of a group, for each RCP and RSQ");
    v("double_passes", &S::double_passes, "passes", 0u, 64u,
      "passes of all lanes of a group, for each instruction on 64-bit floats; 0: the units have none of "
      "them");
    v("free_end", &S::free_end, "",
      "END and NEXT take no issue of their own, as if they were bits of the instructions before them");
    v("pipeline_stages", &S::pipeline_stages, "cycles", 0u, 16u,
      "fetch, decode, register read and write back, as seen by a group's end");
  }
  template <class V>
  static void issue_fields(V& v) {
    using S = ShaderUnitSpec;
    v("simd_lanes", &S::simd_lanes, "threads", 1u, 64u,
      "lanes of a group that execute per cycle: an instruction takes the group's lanes / this cycles, or a "
      "multiple");
    v("issue", &S::issue,
      "instructions of a group that issue in a cycle: mul-and-mad, those that a multiplier and a full unit "
      "behind it can execute, each two by their components; n-way, 1 to ways instructions of any kind; "
      "scalar, one, a component of a register at a time; simd-and-scalar, one for the SIMD ALU and one for "
      "the scalar ALU");
    v("ways", &S::ways, "instructions", 1u, kMaxIssueWays,
      "most instructions of a group that issue in a cycle, if issue is n-way");
    v("scheduler", &S::scheduler,
      "group that issues, among those that can: greedy-oldest, the last one as long as it can, then the "
      "oldest; oldest, the one that came in first; round-robin, in turn; vertices-first, the oldest of "
      "stages before the rasteriser, then the oldest of the others");
  }
  template <class V>
  static void workgroup_fields(V& v) {
    using S = ShaderUnitSpec;
    v("workgroups", &S::workgroups, "workgroups", 1u, 64u,
      "most workgroups of compute programs inside at once");
    v("shared_bytes", &S::shared_bytes, "bytes", 1024u, 1u << 20,
      "shared memory, divided among the workgroups inside");
    v("shared_banks", &S::shared_banks, "banks", 1u, 64u,
      "banks of shared memory, a word wide each; as many threads access it together, one word of a bank in "
      "a cycle");
    v("shared_latency", &S::shared_latency, "cycles", 1u, 64u,
      "cycles from a load or an atomic of shared memory to its result, if its words are in different banks");
    v("barrier_latency", &S::barrier_latency, "cycles", 1u, 64u,
      "cycles from the arrival of the last group at a barrier to the next instructions of all");
    v("vertex_latency", &S::vertex_latency, "cycles", 1u, 64u,
      "cycles from a load of a vertex of its primitive to its result");
  }
  template <class V>
  static void l1_fields(V& v) {
    using S = ShaderUnitSpec;
    v("l1_lines", &S::l1_lines, "lines", 0u, 4096u,
      "lines of the unit's first level before the storage cache, each of storage_cache.line_bytes; 0: it "
      "has none");
    v("l1_ways", &S::l1_ways, "lines", 1u, 64u,
      "ways of the first level: lines of a set; they divide its lines");
    v("l1_latency", &S::l1_latency, "cycles", 1u, 1000u,
      "cycles of the first level, from a load to its bytes");
    v("l1_mshrs", &S::l1_mshrs, "requests", 1u, 1024u,
      "MSHRs of the first level: lines that may be under way, and loads that wait for one that another "
      "requested");
    v("l1_replacement", &S::l1_replacement, structures::kReplacementMeaning);
  }
};

}  // namespace cutaway::boxes
