#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sweep/point.h"

// The folder in which a sweep and its workers meet, on this machine or on a file system that several share:
//
//   points/HASH           a point that is to be run; a worker holds a lock on it while it runs the point
//   started/HASH/ATTEMPT  a worker began; ATTEMPT is host-process-nanoseconds
//   done/HASH             the outcome of the attempt that ended, there when it is whole
//
// A worker runs a point only if it has the lock, there is no done/HASH and there still is points/HASH. The
// sweep takes done/HASH into its database, then removes points/HASH, and done/HASH last. So a point that has
// a result is not run again, however often it is started.
namespace cutaway::sweep {

// What became of one attempt to run a point.
struct Attempt {
  std::string name;    // "node1-4711-1700000000000000000"
  std::string engine;  // "local" or "slurm"
  std::string host;
  int64_t process = 0;
  double start = 0, end = 0;  // seconds since 1970; end is 0 where nobody knows it
  std::string outcome;        // "finished", "failed" (the point cannot be run) or "lost" (the worker is gone)
  std::string message;        // why, of those not finished
};

struct Outcome {
  Attempt attempt;
  std::string frame;  // as replay::encode_frame() writes it; empty unless finished
};

// A lock on a point, as long as it lives.
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

// UserErrors: the folder cannot be read or written, its file system has no locks.
class Queue {
 public:
  explicit Queue(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& folder() const { return folder_; }
  // Where a point with a record leaves it (docs/run-database.md): beside the queue, whole or not at all, and
  // there before the outcome.
  std::filesystem::path record(const std::string& hash) const {
    return folder_.parent_path() / "runs" / (hash + ".sqlite");
  }

  // The sweep's side.
  void make() const;                   // the folders
  void put(const Point& point) const;  // unless it is there
  std::vector<std::string> points() const;
  std::vector<std::string> done() const;                          // points with an outcome
  std::optional<Outcome> outcome(const std::string& hash) const;  // nothing: the file is damaged
  void remove(const std::string& hash) const;                     // all that there is of a point
  void remove_if_empty() const;                                   // the folders, when no point is left
  // The attempts that began, as "lost": which of them ended, the outcome says.
  std::vector<Attempt> started(const std::string& hash) const;
  bool running(const std::string& hash) const;  // somebody holds the lock

  // A worker's side. Waits for the lock; nothing: there is nothing to do.
  std::optional<PointLock> claim(const std::string& hash) const;
  Point job(const std::string& hash) const;
  void begin(const std::string& hash, const Attempt& attempt) const;
  void finish(const std::string& hash, const Outcome& outcome) const;  // whole or not at all

 private:
  std::filesystem::path folder_;
};

// An attempt that this process begins now.
Attempt new_attempt(const std::string& engine);
double seconds_now();  // since 1970

}  // namespace cutaway::sweep
