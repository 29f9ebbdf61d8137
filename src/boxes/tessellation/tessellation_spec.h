#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "base/counter.h"
#include "base/field.h"

namespace cutaway::boxes {

struct TessellationSpec {
  unsigned groups = 8;
  unsigned patch_memory = 64;
  unsigned gather_cycles = 32;
  unsigned patch_cycles = 8;
  unsigned points_per_cycle = 3;
  unsigned post_cache = 128;
  unsigned slots = 255;
  unsigned memory_slots = 0;
  unsigned read_back = 16;
  unsigned queue = 256;
  unsigned vertices = 1024;

  template <class V>
  static void fields(V&& v) {
    using S = TessellationSpec;
    v("groups", &S::groups, "groups", 1u, 256u,
      "groups of patches whose control programs are under way or waited for, in order");
    v("patch_memory", &S::patch_memory, "KB", arch::kPatchBytes / 1024, 4096u,
      "memory of patches, from their control program until their last point is shaded; each patch takes 1 "
      "KB or more");
    v("gather_cycles", &S::gather_cycles, "cycles", 1u, 1024u,
      "cycles that an incomplete group of patches waits for another patch");
    v("patch_cycles", &S::patch_cycles, "cycles", 1u, 256u,
      "cycles from the factors of a patch to the first point of its domain");
    v("points_per_cycle", &S::points_per_cycle, "points", 1u, 16u,
      "points of the primitives of a patch that are made and looked up in the post-shading cache per cycle");
    v("post_cache", &S::post_cache, "points", 1u, 254u,
      "post-shading cache: points of a domain that a primitive can find again; the oldest is replaced first");
    v("slots", &S::slots, "points", 8u, 255u, "post-shading memory: points in the cache or under way");
    v("memory_slots", &S::memory_slots, "points", 0u, 4096u,
      "slots in memory, of 640 bytes each, for points that find no slot on the chip; 0: the walk waits for "
      "a slot");
    v("read_back", &S::read_back, "points", 1u, 64u,
      "places on the chip for points read from memory; each holds its point until another is read into it");
    v("queue", &S::queue, "points", 1u, 4096u,
      "points in order between the tessellator and their primitives");
    v("vertices", &S::vertices, "vertices", 3u, 65536u,
      "storage of shaded points that are sent on; each stays until the last of its primitives is done");
  }
};

struct TessellationCounters {
  uint64_t patches = 0, passed = 0, patches_culled = 0, control_groups = 0, points = 0, post_cache_hits = 0,
           points_shaded = 0, points_spilled = 0, points_read_back = 0, evaluation_groups = 0, primitives = 0,
           memory_stalls = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TessellationCounters;
    v("patches", &C::patches, "patches", "patches taken");
    v("passed", &C::passed, "primitives", "primitives of draws without tessellation, passed through");
    v("patches_culled", &C::patches_culled, "patches", "patches culled by their factors");
    v("control_groups", &C::control_groups, "groups", "groups of control programs sent to be shaded");
    v("points", &C::points, "points", "points of primitives that the tessellator has made");
    v("post_cache_hits", &C::post_cache_hits, "points", "points found shaded or under way");
    v("points_shaded", &C::points_shaded, "points", "points sent to be shaded");
    v("points_spilled", &C::points_spilled, "points",
      "points shaded for which only a slot in memory was free");
    v("points_read_back", &C::points_read_back, "points", "points read back from there, once for each time");
    v("evaluation_groups", &C::evaluation_groups, "groups", "groups in which the points were sent");
    v("primitives", &C::primitives, "primitives", "primitives sent on");
    v("memory_stalls", &C::memory_stalls, "patches", "patches that had to wait for memory");
  }
};

}  // namespace cutaway::boxes
