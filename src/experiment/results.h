#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/experiment_file.h"

namespace cutaway::experiment {

// A configuration and the records of its frames: run.sqlite files, in order of the frames.
struct ConfigurationRuns {
  Place place;
  double transistors = 0;                      // millions
  std::vector<std::filesystem::path> records;  // empty: no results
};

// The rows of a series in a configuration: x and the other columns. The rows of several frames are
// consecutive, and x continues from the previous frame.
struct SeriesRows {
  std::vector<std::string> columns;  // the first is x
  std::vector<std::vector<double>> rows;
};

struct Results {
  Table table;                                  // one column per measure
  std::vector<std::vector<SeriesRows>> series;  // by configuration, in the order of the file's series
};

// Runs the queries of an experiment. UserError with file and line: SQLite rejects a query, its result is not
// a number, or it writes.
Results read_results(const ExperimentFile& file, const std::vector<ConfigurationRuns>& runs);

// results.csv: one line per configuration with labels and measures. CSV as in RFC 4180.
std::string results_csv(const ExperimentFile& file, const Results& results);
// SERIES.csv: labels, then the rows of a series.
std::string series_csv(const ExperimentFile& file, const Results& results, size_t series);

}  // namespace cutaway::experiment
