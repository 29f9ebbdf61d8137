#pragma once

#include <map>
#include <string>
#include <vector>

#include "sweep/point.h"
#include "sweep/sweep_file.h"

namespace cutaway::sweep {

// The points of a sweep, in the order captures, frames, machines, [[vary]] tables, of which the last changes
// fastest. The same file and captures give the same plan.
struct Plan {
  struct Skipped {
    std::string point, reason;
  };
  std::vector<Point> points;
  std::vector<Skipped> skipped;                 // machines that violate a rule, if the file permits skipping
                                                // them
  uint64_t duplicates = 0;                      // points left out because the same frame on the same machine
                                                // comes earlier
  std::vector<std::string> varied;              // parameters of all [[vary]] tables: "memory.channels"
  std::map<std::string, std::string> machines;  // machine_text() by its hash
};

// Makes the plan. UserError, before anything runs: a capture, frame, preset or parameter does not exist, a
// value is out of range, a machine violates a rule (unless such are skipped), more than a million points.
Plan make_plan(const SweepFile& file);

// Draws `count` different numbers below `size`, in order; equal for equal seeds on every host.
std::vector<uint64_t> draw_sample(uint64_t size, uint64_t count, uint64_t seed);

}  // namespace cutaway::sweep
