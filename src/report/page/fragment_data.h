#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cutaway::report {

// Adds to each frame of a run's data (run_data.h) its fragment log: `fragments`, null if there is none.
// Appends the log's parts to `lines` as stored in the database, in base64, for the page to expand on demand;
// the data gives the line of each. UserError: a log is damaged.
void add_fragments(const std::filesystem::path& run, nlohmann::json& data, std::vector<std::string>& lines);

}  // namespace cutaway::report
