#pragma once

#include <map>
#include <string>
#include <vector>

#include "sweep/point.h"
#include "sweep/sweep_file.h"

namespace cutaway::sweep {

// The points of a sweep, in the order captures, frames, machines, [[vary]] tables, the last of which changes
// fastest. The same file and captures give the same plan.
struct Plan {
  struct Skipped {
    std::string point, reason;
  };
  std::vector<Point> points;
  std::vector<Skipped> skipped;                 // machines that break a rule, where the file lets them
  uint64_t duplicates = 0;                      // left out: the same frame on the same machine stands before
  std::vector<std::string> varied;              // parameters of all [[vary]] tables: "memory.channels"
  std::map<std::string, std::string> machines;  // machine_text() by its hash
};

// UserError, before anything runs: a capture, frame, preset or parameter that does not exist, a value out of
// its range, a machine that breaks a rule (unless they are skipped), more than a million points.
Plan make_plan(const SweepFile& file);

// `count` different numbers below `size`, in order; the same for a seed everywhere.
std::vector<uint64_t> draw_sample(uint64_t size, uint64_t count, uint64_t seed);

}  // namespace cutaway::sweep
