#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/formula.h"

namespace cutaway::experiment {

// A dimension in which configurations differ: the base machine, or parameters, by label.
struct Axis {
  AxisNames names;
  std::vector<std::string> gpus;  // by label; empty: another axis or the file names the machine
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;  // by label
  std::map<std::string, std::string> places;                                 // by parameter: file and line
  std::string where;                                                         // file and line, for errors
};

// A number per configuration.
struct Measure {
  enum class Frames { kSum, kMean, kMost };
  std::string name, unit;
  std::string sql;                 // query on one frame's run.sqlite (docs/run-database.md), or
  std::optional<Formula> formula;  // a formula over other measures
  Frames frames = Frames::kSum;    // for queries: how several frames are combined
  std::string where;
};

// Rows per configuration: a query whose first column is x.
struct Series {
  std::string name, sql, where;
};

// The paper's value, drawn into a figure: a band from least to most.
struct PaperValue {
  std::string at;  // a label of the x axis; empty: the whole axis
  double least = 0, most = 0;
  std::string words;
};

// The selected configurations: labels by axis; an unnamed axis has all its labels.
struct Chosen {
  std::vector<std::pair<std::string, std::vector<std::string>>> labels;
  Domain of(const std::vector<AxisNames>& axes) const;
};

struct Panel {
  enum class Kind { kBars, kPoints, kLines, kSteps };
  std::string title;
  Kind kind = Kind::kBars;
  std::string x;               // bars: an axis; points: a measure; lines, steps: a series
  std::vector<std::string> y;  // bars, points: a measure; lines, steps: columns of the series
  std::string x_title, y_title;
  std::string along;                                // points: the axis along which a line joins points
  std::optional<std::pair<double, double>> linear;  // points: a line from the origin through this point
  std::optional<double> top;                        // upper end of the y axis
  Chosen where_chosen;
  std::vector<PaperValue> paper;
  std::string where;
};

// A claim of the paper, as a formula with bounds. Every value of the formula in the selected configurations
// is compared with them.
struct Claim {
  std::string id;      // "ATT-13a"
  std::string words;   // the paper's words, or a summary
  std::string source;  // its place in the paper: "section 6.1"
  std::optional<Formula> value;
  std::vector<Formula> positive;                // it says something only where these are above 0
  std::vector<std::string> open_divisors;       // of the value, that may be negative and are not among these
  std::string unit;                             // "%": values are shares, and told times 100
  std::optional<double> least, most;            // it holds within these
  std::optional<double> least_part, most_part;  // and in part within these; none: not outside
  Chosen chosen;
  std::string where;
};

struct ExperimentFile {
  std::filesystem::path path;
  std::string name;  // the file's name without .toml
  std::string title, figure, about;
  std::vector<std::string> facts;  // "ATT-13"
  uint64_t frames = 1;             // of the capture: number of frames from the first on, unless others are
                                   // requested
  double seconds = 0;              // approximate core-seconds per configuration and frame
  std::string gpu = "attila";
  std::vector<std::pair<std::string, std::string>> sets;  // parameters shared by all configurations
  std::map<std::string, std::string> places;              // by parameter of sets: file and line
  std::vector<Axis> axes;
  std::vector<Measure> measures;
  std::vector<Series> series;
  std::vector<Panel> panels;
  std::vector<Claim> claims;

  std::vector<AxisNames> axis_names() const;
  size_t configurations() const;
};

// The measure that every experiment has: millions of transistors of the shaders (experiment/transistors.h).
inline constexpr const char* kTransistors = "transistors";

// Reads an experiment file. UserError with file and line: not TOML, an unknown key, or a formula, measure,
// axis or label that does not exist. The plan checks parameters; the first run checks queries.
ExperimentFile read_experiment_file(const std::filesystem::path& path);

// The files of the folder experiments/: beside the sources, beside the command, or installed. Sorted by name.
std::vector<std::filesystem::path> experiment_files();
// Resolves a name of these, or a path (anything with a '/' or ending in .toml). UserError: there is none.
std::filesystem::path find_experiment(const std::string& name);

}  // namespace cutaway::experiment
