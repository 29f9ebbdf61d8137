#pragma once

#include <cstdint>

#include "base/counter.h"

namespace cutaway::boxes {

// Of shader units whose fragment programs can ask for interpolants.
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

}  // namespace cutaway::boxes
