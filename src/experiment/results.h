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
  std::vector<std::filesystem::path> records;  // none: it has no results
};

// What a series came to in a configuration: x and the columns after it. The rows of several frames stand one
// after the other, and x goes on from the last one.
struct SeriesRows {
  std::vector<std::string> columns;  // the first is x
  std::vector<std::vector<double>> rows;
};

struct Results {
  Table table;                                  // a column for each measure
  std::vector<std::vector<SeriesRows>> series;  // by configuration, in the order of the file's series
};

// Runs the queries of an experiment. UserError with file and line: SQLite refuses a query, it gives no
// number, or it writes.
Results read_results(const ExperimentFile& file, const std::vector<ConfigurationRuns>& runs);

// results.csv: a line for each configuration: labels, measures. CSV as RFC 4180 has it.
std::string results_csv(const ExperimentFile& file, const Results& results);
// SERIES.csv: labels, then the rows of a series.
std::string series_csv(const ExperimentFile& file, const Results& results, size_t series);

}  // namespace cutaway::experiment
