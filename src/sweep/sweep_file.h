#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/frames.h"

namespace cutaway::sweep {

// A capture and its frames; by default all its frames.
struct CaptureEntry {
  std::string name;  // as written
  std::filesystem::path path;
  std::vector<FrameRange> frames;
  // Machines that simulate further frames, as Point::machine; not empty: `frames` may be.
  std::set<std::string> pilots = {};
  std::vector<FrameRange> pilot_frames = {};
  std::optional<double> sample_error = {};  // `frames` is a sample that estimates totals within this share
  std::string where;                        // file and line, for errors
};

// Parameters that change together: at position i each path has its value i. One [[vary]] table.
struct Axis {
  std::vector<std::string> paths;                // "memory.channels"
  std::vector<std::vector<std::string>> values;  // by path, as --set takes them; all of one length
  std::string where;
  size_t size() const { return values.front().size(); }
};

// Number of points drawn from the grid, without repetition.
struct Sample {
  uint64_t points = 0, seed = 0;
};

// y against x, one line per value of `series`; all of them names of columns or counters.
struct Plot {
  std::string name;  // of its file
  std::string title, x, y, series;
  std::string where;
};

// The contents of a sweep's TOML file: docs/sweeps.md.
struct SweepFile {
  std::filesystem::path path;
  std::vector<CaptureEntry> captures;
  std::vector<std::string> gpus;                          // presets, or paths of TOML files
  std::vector<std::pair<std::string, std::string>> sets;  // parameters that all points share
  std::vector<Axis> axes;
  std::map<std::string, std::string> places;  // by parameter of sets and axes: file and line
  std::optional<Sample> sample;
  uint64_t warmup = 0;
  bool verify = false;
  bool explain = false;       // keeps the database of each point's run, and what held its frame up
  bool skip_illegal = false;  // leaves out machines that violate a rule
  std::vector<std::string> sbatch_options;  // passed to sbatch
  std::vector<Plot> plots;
};

// The error of a sample, "1%", as a share. where: beginning of the error text. UserError.
double parse_sample_error(std::string_view text, std::string_view where);

// Reads a sweep file. UserError with file and line: not TOML, an unknown key, a value of the wrong kind, an
// empty list or range. make_plan() checks that captures, presets and parameters exist.
SweepFile read_sweep_file(const std::filesystem::path& path);

}  // namespace cutaway::sweep
