#pragma once

#include <nlohmann/json.hpp>

#include "database/database.h"
#include "report/machine_parts.h"

namespace cutaway::report {

// Columns of what is counted, by number.
struct CountedColumns {
  std::vector<std::string> units, names;
};

// A frame of a run's database: its totals, states, work, passes, what was counted for each piece of work and
// over time, tiles where the database has them, and units by what they cost.
nlohmann::json frame_data(database::Database& database, int64_t frame, const CountedColumns& counters,
                          const MachineParts& parts);

}  // namespace cutaway::report
