#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cutaway::report {

// Puts into each frame of a run's data (run_data.h) what its log of fragments holds: `fragments`, null where
// there is none. Its parts go to `lines` as the database has them, in base64, for the page to expand when it
// needs them; the data says which line each is. UserError: a log is damaged.
void add_fragments(const std::filesystem::path& run, nlohmann::json& data, std::vector<std::string>& lines);

}  // namespace cutaway::report
