#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/progress.h"
#include "sweep/engine.h"
#include "sweep/plan.h"
#include "sweep/store.h"

namespace cutaway::sweep {

// The folder of a sweep: sweep.sqlite, queue/ while points are to be run, and what export makes. Only one
// process at a time has it. UserError: another one has.
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
  std::vector<Failure> failures;                  // the same command tries them again
  bool interrupted = false;
};

// Takes in what workers have left since the last time, then has the engine run every point of the plan that
// has no result, until all have ended or the process is interrupted. Results are in the store as they come.
// UserErrors of store, queue and engine; what is finished is kept.
SweepOutcome run_sweep(const Plan& plan, Store& store, const Queue& queue, Engine& engine,
                       report::Progress& progress);

}  // namespace cutaway::sweep
