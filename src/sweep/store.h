#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "database/database.h"
#include "run_record/figures.h"
#include "sweep/plan.h"
#include "sweep/queue.h"

namespace cutaway::sweep {

// A sweep's database, sweep.sqlite; docs/sweeps.md has its tables. UserErrors: not readable or writable,
// damaged, of another program or version, or the disk is full.
class Store {
 public:
  // For a run: creates the database if missing, and checks all of it for damage.
  explicit Store(const std::filesystem::path& path, database::Access access = database::Access::kCreate);

  // Writes this sweep's points and their order. Points of earlier plans stay, without a number.
  void write_plan(const Plan& plan);
  std::set<std::string> finished() const;  // points of the plan with a result
  uint64_t set_aside() const;              // results of points outside the plan

  bool knows(const std::string& hash) const;  // it is or was in a plan

  // Adds the outcome of an attempt atomically. Returns false if the point already has a result.
  bool add(const std::string& hash, const Outcome& outcome);
  void add_lost(const std::string& hash, const Attempt& attempt);

  // Results name counters; the counters' meanings come from a machine like theirs.
  bool has_unexplained_counters() const;
  void explain(const std::vector<Counter>& counters);

  // Hash over all results of the plan, with all counters and accounts, in order of the points' hashes: two
  // sweeps with equal hashes have equal results. Attempts do not count.
  std::string results_hash() const;

  database::Database& database() const { return database_; }

 private:
  int64_t point_id(const std::string& hash) const;
  int64_t counter_id(std::string_view unit, std::string_view name);
  void add_attempt(int64_t point, const Attempt& attempt, const run_record::FrameFigures* frame);
  void add_result(int64_t point, const run_record::FrameFigures& frame);

  mutable database::Database database_;
};

// SQL of a column of the largest cause of the point p: "unit" or "share". NULL if its run is not kept.
std::string largest_cause(std::string_view column);

// A name quoted for SQL.
std::string sql_name(std::string_view name);

}  // namespace cutaway::sweep
