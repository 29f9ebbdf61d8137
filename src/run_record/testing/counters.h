#pragma once

#include <vector>

#include "run_record/figures.h"

namespace cutaway::run_record::testing {

// A counter of the box "gpu.a" for each role that the database asks a frame for: of all work, and of the
// driver's.
inline std::vector<CounterFigure> counters_of_frame() {
  std::vector<CounterFigure> counters;
  for (const CounterRole role :
       {CounterRole::kDraws, CounterRole::kDrawCycles, CounterRole::kVerticesShaded,
        CounterRole::kVerticesReused, CounterRole::kPrimitives, CounterRole::kFragmentsGenerated,
        CounterRole::kFragmentsKilledHz, CounterRole::kFragmentsKilledEarlyZ,
        CounterRole::kFragmentsKilledShader, CounterRole::kFragmentsKilledLateZ,
        CounterRole::kFragmentsWritten, CounterRole::kInstructions})
    for (const CountOf of : {CountOf::kAll, CountOf::kDriver})
      counters.push_back({"gpu.a", "x", 1, role, of});
  return counters;
}

}  // namespace cutaway::run_record::testing
