#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/plan.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

namespace cutaway::sweep {

// The view `sweep` as CSV (RFC 4180): a line of names, then one line per point with a result.
std::string csv(const Store& store);

// Writes that table to a file. UserError: the name does not end in .csv, or the file cannot be written.
void export_table(const Store& store, const std::filesystem::path& path);

// UserError: a plot's x or series is not a column of the view, or its y cannot be one.
void check_plots(const SweepFile& file, const Plan& plan);

// Frames that a plot has means of: all, or of each capture only those that most machines simulated.
enum class PlotFrames : uint8_t { kAll, kShared };

// Draws a plot into NAME.svg. Points with the same x and series are averaged. Returns false where no point
// has a result. UserError: y is no column and no counter.
bool draw_plot(const Store& store, const Plot& plot, PlotFrames frames, const std::filesystem::path& folder,
               std::string& svg);

// Contents of report.html.
struct Page {
  const SweepFile& file;
  const Plan& plan;
  const SweepOutcome& outcome;
  const Store& store;
  std::string results_hash;
  std::vector<std::string> plots;  // SVG
};
std::string page_html(const Page& page);

}  // namespace cutaway::sweep
