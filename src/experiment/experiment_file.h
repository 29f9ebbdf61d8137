#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/formula.h"

namespace cutaway::experiment {

// What differs between configurations: the machine that they begin with, or parameters, by label.
struct Axis {
  AxisNames names;
  std::vector<std::string> gpus;  // of each label; empty: another axis or the file says it
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;  // of each label
  std::string where;                                                         // file and line, for errors
};

// A number of each configuration.
struct Measure {
  enum class Frames { kSum, kMean, kMost };
  std::string name, unit;
  std::string sql;                 // over run.sqlite (docs/run-database.md) of one frame, or
  std::optional<Formula> formula;  // over other measures
  Frames frames = Frames::kSum;    // of a query: what several frames come to
  std::string where;
};

// Rows of each configuration: a query whose first column is x.
struct Series {
  std::string name, sql, where;
};

// What the paper says of a figure, drawn into it: a band from least to most.
struct PaperValue {
  std::string at;  // a label of the x axis; empty: all of it
  double least = 0, most = 0;
  std::string words;
};

// The configurations that are looked at: labels by axis; an axis that is not named has all.
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
  std::string along;                                // points: the axis whose points a line joins
  std::optional<std::pair<double, double>> linear;  // points: a line from the origin through this one
  std::optional<double> top;                        // of the y axis
  Chosen where_chosen;
  std::vector<PaperValue> paper;
  std::string where;
};

// What the paper says, as a formula and its bounds. Every value that the formula takes in the configurations
// that are looked at is held against them.
struct Claim {
  std::string id;      // "ATT-13a"
  std::string words;   // the paper's, or what they come to
  std::string source;  // where it says so: "section 6.1"
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
  std::string name;  // of the file, without .toml
  std::string title, figure, about;
  std::vector<std::string> facts;  // "ATT-13"
  uint64_t frames = 1;             // of the capture: so many from the first on, unless others are asked for
  double seconds = 0;              // that one configuration and frame takes a core, about
  std::string gpu = "attila";
  std::vector<std::pair<std::string, std::string>> sets;  // parameters that all share
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

// UserError with file and line: not TOML, an unknown key, a formula, measure, axis or label that does not
// exist. Whether parameters exist, the plan finds out, and whether queries run, the first run.
ExperimentFile read_experiment_file(const std::filesystem::path& path);

// The files of the folder experiments/: beside the sources, beside the command, or where it is installed. In
// order of their names.
std::vector<std::filesystem::path> experiment_files();
// A name of these, or a path (anything with a '/' or ending in .toml). UserError: there is none.
std::filesystem::path find_experiment(const std::string& name);

}  // namespace cutaway::experiment
