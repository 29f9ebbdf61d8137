#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/point.h"

// The folder through which a sweep and its workers communicate, on this host or on a shared file system:
//
//   points/HASH           a point to run; a worker holds a lock on it while it runs the point
//   started/HASH/ATTEMPT  a worker began; ATTEMPT is host-process-nanoseconds
//   done/HASH             the outcome of the attempt that ended, created atomically
//
// A worker runs a point only if it holds the lock, done/HASH does not exist and points/HASH still exists. The
// sweep copies done/HASH into its database, then removes points/HASH, and done/HASH last. So a point with a
// result is not run again, however often it is started.
namespace cutaway::sweep {

// One attempt to run a point.
struct Attempt {
  std::string name;    // "node1-4711-1700000000000000000"
  std::string engine;  // "local" or "slurm"
  std::string host;
  int64_t process = 0;
  double start = 0, end = 0;  // seconds since 1970; end is 0 if unknown
  std::string outcome;        // "finished", "failed" (the point cannot be run) or "lost" (the worker is gone)
  std::string message;        // the reason, if not finished
};

struct Outcome {
  Attempt attempt;
  std::string frame;  // encoded by replay::encode_frame(); empty unless finished
  // The share of each cause that held the frame up, by its words; empty if its run is not kept.
  std::map<std::string, double> causes = {};
};

// Holds a lock on a point during its life.
class PointLock {
 public:
  PointLock() = default;
  PointLock(PointLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  PointLock& operator=(PointLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~PointLock();

 private:
  friend class Queue;
  int descriptor_ = -1;
};

// UserErrors: the folder cannot be read or written, or its file system has no locks.
class Queue {
 public:
  explicit Queue(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& folder() const { return folder_; }
  // Path for a point's record (docs/run-database.md): beside the queue, created atomically, before the
  // outcome.
  std::filesystem::path record(const std::string& hash) const {
    return folder_.parent_path() / "runs" / (hash + ".sqlite");
  }

  // For the sweep.
  void make() const;                   // creates the folders
  void put(const Point& point) const;  // unless it exists
  std::vector<std::string> points() const;
  std::vector<std::string> done() const;                          // points with an outcome
  bool is_done(const std::string& hash) const;                    // done/HASH exists
  std::optional<Outcome> outcome(const std::string& hash) const;  // nothing: the file is damaged
  void remove(const std::string& hash) const;                     // removes everything of a point
  // Removes what a killed worker left half-made: the temporary files of a point's record and outcome.
  void remove_half_made(const std::string& hash) const;
  void remove_if_empty() const;  // removes the folders once no point is left
  // All attempts that began, as "lost": the outcome says which of them ended.
  std::vector<Attempt> started(const std::string& hash) const;
  bool running(const std::string& hash) const;  // true if a worker holds the lock

  // For a worker. Waits for the lock; nothing: there is no work.
  std::optional<PointLock> claim(const std::string& hash) const;
  Point job(const std::string& hash) const;
  void begin(const std::string& hash, const Attempt& attempt) const;
  void finish(const std::string& hash, const Outcome& outcome) const;  // atomic

 private:
  std::filesystem::path folder_;
};

// A new attempt by this process.
Attempt new_attempt(const std::string& engine);
double seconds_now();  // since 1970

}  // namespace cutaway::sweep
