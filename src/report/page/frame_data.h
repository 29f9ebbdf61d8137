#pragma once

#include <nlohmann/json.hpp>

#include "database/database.h"
#include "report/machine_parts.h"

namespace cutaway::report {

// Indices of counter columns.
struct CountedColumns {
  std::vector<std::string> units, names;
};

// A frame of a run's database: totals, states, work, passes, counts by work and over time, tiles if the
// database has them, and units by their cost.
nlohmann::json frame_data(database::Database& database, int64_t frame, const CountedColumns& counters,
                          const MachineParts& parts);

}  // namespace cutaway::report
