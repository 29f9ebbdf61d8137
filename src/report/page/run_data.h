#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/run_file.h"

namespace cutaway::report {

// A run's data for the report page (web/src/data.ts has the shape): tables as columns, counts over time as a
// series per counter, the machine's diagram, pictures as base64. `run` is a folder that `cutaway simulate
// --out` wrote, or a database. UserErrors: no such run, another version's, damaged.
nlohmann::json run_data(const std::filesystem::path& run, const Disassembler& disassemble);

}  // namespace cutaway::report
