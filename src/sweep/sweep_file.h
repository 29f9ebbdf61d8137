#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/frames.h"

namespace cutaway::sweep {

// A capture and its frames; none given: all that it holds.
struct CaptureEntry {
  std::string name;  // as it is written
  std::filesystem::path path;
  std::vector<FrameRange> frames;
  std::string where;  // file and line, for errors
};

// Parameters that change together: at position i each path has its value i. A table of [[vary]].
struct Axis {
  std::vector<std::string> paths;                // "memory.channels"
  std::vector<std::vector<std::string>> values;  // of each path, as --set takes them; all of one length
  std::string where;
  size_t size() const { return values.front().size(); }
};

// So many points of the grid, drawn without repetition.
struct Sample {
  uint64_t points = 0, seed = 0;
};

// y against x, a line for each value of `series`; all of them names of columns or counters.
struct Plot {
  std::string name;  // of its file
  std::string title, x, y, series;
  std::string where;
};

// A sweep as a TOML file says it: docs/sweeps.md.
struct SweepFile {
  std::filesystem::path path;
  std::vector<CaptureEntry> captures;
  std::vector<std::string> gpus;                          // presets, or paths of TOML files
  std::vector<std::pair<std::string, std::string>> sets;  // parameters that all points share
  std::vector<Axis> axes;
  std::optional<Sample> sample;
  uint64_t warmup = 0;
  bool verify = false;
  bool skip_illegal = false;                // machines that break a rule are left out
  std::vector<std::string> sbatch_options;  // handed on to sbatch
  std::vector<Plot> plots;
};

// UserError with file and line: not TOML, an unknown key, a value of the wrong kind, an empty list or range.
// Whether captures, presets and parameters exist, make_plan() finds out.
SweepFile read_sweep_file(const std::filesystem::path& path);

}  // namespace cutaway::sweep
