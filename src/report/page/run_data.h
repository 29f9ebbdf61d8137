#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/run_file.h"
#include "report/what_ifs.h"

namespace cutaway::report {

// A run's data for the report page (web/src/data.ts has the shape): tables as columns, counts over time as a
// series per counter, the machine's diagram, pictures as base64. `run` is a folder that `cutaway simulate
// --out` wrote, or a database. UserErrors: no such run, another version's, damaged.
// keep_legal: see report/what_ifs.h; may be empty.
nlohmann::json run_data(const std::filesystem::path& run, const Disassembler& disassemble,
                        const KeepLegal& keep_legal = {});

}  // namespace cutaway::report
