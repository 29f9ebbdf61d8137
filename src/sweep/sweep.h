#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/progress.h"
#include "sweep/engine.h"
#include "sweep/plan.h"
#include "sweep/store.h"

namespace cutaway::sweep {

// The folder of a sweep: sweep.sqlite, queue/ while points are being run, and export's files. Only one
// process may use it at a time. UserError: another process uses it.
class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path database() const { return path_ / "sweep.sqlite"; }
  std::filesystem::path queue() const { return path_ / "queue"; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

struct Failure {
  std::string point, reason;
};

struct SweepOutcome {
  uint64_t points = 0, before = 0, finished = 0;  // before: had a result when the sweep started
  std::vector<Failure> failures;                  // the same command retries them
  bool interrupted = false;
};

// Imports outcomes that workers have left, then makes the engine run every point of the plan without a
// result, until all have ended or the process is interrupted. Results are stored as they arrive. UserErrors
// of store, queue and engine; finished results are kept.
SweepOutcome run_sweep(const Plan& plan, Store& store, const Queue& queue, Engine& engine,
                       report::Progress& progress);

}  // namespace cutaway::sweep
