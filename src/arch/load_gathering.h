#pragma once

#include "base/field.h"

namespace cutaway::arch {

// How the compiler orders loads for a chip whose groups go on behind a load until its result is needed.
struct LoadGathering {
  unsigned under_way = 0;
  unsigned temporaries = 1;
  bool operator==(const LoadGathering&) const = default;

  template <class V>
  static void fields(V&& v) {
    using S = LoadGathering;
    v("under_way", &S::under_way, "loads", 0u, 64u,
      "loads of a group that the compiler brings together; 0 and 1: it leaves loads where programs have them");
    v("temporaries", &S::temporaries, "vectors", 1u, 128u,
      "temporaries that a program may have for it; if it would need more, and more than without, loads stay");
  }
};

}  // namespace cutaway::arch
