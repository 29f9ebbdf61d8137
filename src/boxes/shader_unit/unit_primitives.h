#pragma once

#include <cstdint>

#include "base/counter.h"

namespace cutaway::boxes {

// Of shader units that run programs that work on primitives.
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

}  // namespace cutaway::boxes
