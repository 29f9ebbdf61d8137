#pragma once

#include <cstdint>
#include <span>

#include "report/summary.h"

namespace cutaway::sweep {

// A figure of a frame, stored as a column of the table `result`.
struct Figure {
  const char* name;
  const char* unit;
  const char* meaning;
  uint64_t (*value)(const run_record::FrameFigures& frame, const report::FrameTotals& totals);
};
std::span<const Figure> figures();

}  // namespace cutaway::sweep
