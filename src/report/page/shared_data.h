#pragma once

#include <nlohmann/json.hpp>

#include "report/run_reader.h"

namespace cutaway::report {

// The programs that shared the GPU, for a page: their frames, what bounds them, and what held their work up
// in each part of the run. Null: the run is of one program.
nlohmann::json shared_data(RunReader& run);

// The turns of a part of the run, and the switches between programs, as columns. Empty if it is of one
// program.
nlohmann::json turns_data(database::Database& database, int64_t frame);
nlohmann::json switches_data(database::Database& database, int64_t frame);

// SQL that names a shader program by its address in a column, the way a page refers to it. The programs of
// several contexts may have one address.
std::string program_name(const std::string& address);

}  // namespace cutaway::report
