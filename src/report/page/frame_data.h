#pragma once

#include <nlohmann/json.hpp>

#include "database/database.h"
#include "report/machine_parts.h"
#include "report/run_file.h"
#include "report/run_reader.h"
#include "report/what_ifs.h"

namespace cutaway::report {

// Indices of counter columns.
struct CountedColumns {
  std::vector<std::string> units, names;
};

// A frame of a run's database: totals, states, work, passes, counts by work and over time, tiles if the
// database has them, and units by their cost.
// disassemble: disassembles the SPIR-V of instructions in its explanation; may be empty, as keep_legal.
nlohmann::json frame_data(database::Database& database, RunReader& run, int64_t frame,
                          const CountedColumns& counters, const MachineParts& parts,
                          const Disassembler& disassemble, const KeepLegal& keep_legal = {});

}  // namespace cutaway::report
