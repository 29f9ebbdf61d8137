#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cutaway::sweep {

// A sweep for the page of reports (web/src/sweep_model.ts has the shape): its points with a result by column,
// plots as SVG, and lines about points that have none.
struct PageSweep {
  std::filesystem::path path;  // the database
  std::string name;
  std::vector<std::string> plots, notes;
};
// The file is untrusted. UserError: it is damaged or not the database of a sweep.
nlohmann::json page_data(const PageSweep& sweep);

// The sweep in a folder, with the plots that lie beside its database.
PageSweep sweep_in(const std::filesystem::path& folder);
// The folder, or file, holds a sweep.
bool is_sweep(const std::filesystem::path& path);

}  // namespace cutaway::sweep
