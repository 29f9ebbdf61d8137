#include "sweep/sweep.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "machine/machine.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;

class Run {
 public:
  Run(const Plan& plan, Store& store, const Queue& queue, Engine& engine, report::Progress& progress)
      : store_(store), queue_(queue), engine_(engine), progress_(progress), finished_(store.finished()) {
    for (const Point& point : plan.points) points_[point.hash] = &point;
    outcome_.points = plan.points.size();
    outcome_.before = finished_.size();
  }

  SweepOutcome run(const std::vector<Point>& points) {
    take_over();
    std::vector<std::string> open;
    for (const Point& point : points)
      if (!finished_.contains(point.hash)) open.push_back(point.hash);
    for (const std::string& hash : open) queue_.put(*points_.at(hash));
    try {
      if (!open.empty()) work(open);
    } catch (const UserError&) {
      keep_what_is_done();
      throw;
    }
    queue_.remove_if_empty();
    outcome_.finished = finished_.size();
    return std::move(outcome_);
  }

 private:
  // Imports the queue of an earlier sweep, which may have been killed at any moment.
  void take_over() {
    for (const std::string& hash : queue_.done()) take(hash);
    outcome_.failures.clear();  // of earlier attempts
    for (const std::string& hash : queue_.points()) {
      if (queue_.running(hash)) continue;  // on Slurm
      note_lost(hash, "", "the sweep was ended before it");
      if (finished_.contains(hash) || !points_.contains(hash)) queue_.remove(hash);
    }
  }

  void work(const std::vector<std::string>& open) {
    engine_.start(open);
    while (engine_.busy()) {
      show();
      for (const Engine::Ended& ended : engine_.poll()) end(ended);
      if (!interrupted()) continue;
      outcome_.interrupted = true;
      progress_.clear();
      engine_.stop();
      keep_what_is_done();
      for (const std::string& hash : queue_.points())
        if (!queue_.running(hash)) note_lost(hash, "", "interrupted");
      return;
    }
  }

  void end(const Engine::Ended& ended) {
    if (take(ended.hash)) return;
    note_lost(ended.hash, "", ended.reason);
    queue_.remove(ended.hash);
    outcome_.failures.push_back({points_.at(ended.hash)->text(), ended.reason});
  }

  // Returns false if the worker left nothing usable.
  bool take(const std::string& hash) {
    if (!store_.knows(hash)) return false;  // from a database that is gone
    const auto outcome = queue_.outcome(hash);
    if (!outcome) return false;
    note_lost(hash, outcome->attempt.name, "the process ended before it");
    store_.add(hash, *outcome);
    if (points_.contains(hash) && store_.has_unexplained_counters()) explain(*points_.at(hash));
    queue_.remove(hash);
    if (outcome->attempt.outcome == "finished") {
      if (points_.contains(hash)) finished_.insert(hash);
    } else if (points_.contains(hash)) {
      outcome_.failures.push_back({points_.at(hash)->text(), outcome->attempt.message});
    }
    return true;
  }

  // Once for each kind of machine: only a machine knows the meanings of its counters.
  void explain(const Point& point) {
    machine::Config config;
    load_config(config, point.gpu, settings_of(point));
    machine::Machine machine(config, arch::Memory());
    store_.explain(machine.simulator().counters().counters());
  }

  // Records attempts that began other than the one that ended.
  void note_lost(const std::string& hash, const std::string& ended, const std::string& reason) {
    if (!store_.knows(hash)) return;
    for (Attempt& attempt : queue_.started(hash)) {
      if (attempt.name == ended) continue;
      attempt.message = reason;
      store_.add_lost(hash, attempt);
    }
  }

  // After an error or an interrupt. Outcomes that cannot be stored now are imported by the next sweep.
  void keep_what_is_done() {
    try {
      for (const std::string& hash : queue_.done()) take(hash);
    } catch (const UserError&) {}
  }

  void show() {
    const size_t all = points_.size();
    std::string text = fmt::format("{} of {} finished", finished_.size(), counted(all, "point"));
    if (!outcome_.failures.empty()) text += fmt::format(", {} failed", outcome_.failures.size());
    const size_t ended = finished_.size() + outcome_.failures.size();
    progress_.update(static_cast<double>(ended) / static_cast<double>(all), text);
  }

  Store& store_;
  const Queue& queue_;
  Engine& engine_;
  report::Progress& progress_;
  std::set<std::string> finished_;
  std::map<std::string, const Point*> points_;
  SweepOutcome outcome_;
};

}  // namespace

SweepFolder::SweepFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) user_error("{}: cannot be made: {}", path_.string(), error.message());
  path_ = fs::canonical(path_);
  const fs::path lock = path_ / "sweep.lock";
  lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (lock_ < 0) user_error("{}: cannot be written: {}", lock.string(), std::strerror(errno));
  if (const std::string kind = other_kind_of_file(lock); !kind.empty()) {
    close(lock_);
    user_error("{}: not a file but {}: remove it", lock.string(), kind);
  }
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  close(lock_);
  if (reason == EWOULDBLOCK)
    user_error("{}: another cutaway sweep is at work on it; wait for it, or give another --out",
               path_.string());
  user_error("{}: cannot be locked: {}", lock.string(), std::strerror(reason));
}

SweepFolder::~SweepFolder() { close(lock_); }

SweepOutcome run_sweep(const Plan& plan, Store& store, const Queue& queue, Engine& engine,
                       report::Progress& progress) {
  return Run(plan, store, queue, engine, progress).run(plan.points);
}

}  // namespace cutaway::sweep
