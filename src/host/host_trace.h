#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "arch/gpu.h"
#include "base/program_time.h"

namespace cutaway::host {

// Records how long the program and its driver compute between pieces of work, and which work they wait for.
// A wait during which other work is pushed held nobody up, and is left out: programs may have a thread that
// only waits. Callable from any thread.
class HostTrace {
 public:
  // clock: nanoseconds that the program has computed.
  explicit HostTrace(std::function<uint64_t()> clock = program_nanoseconds)
      : clock_(std::move(clock)), counted_(clock_()) {}

  struct Entry {
    uint64_t time = 0, pushes = 0;
  };
  // Call before the program waits.
  Entry enter() const {
    const std::lock_guard lock(mutex_);
    return {clock_(), pushes_};
  }
  // The program has waited since `entry`, until a submission had ended; 0: for something else.
  void waited(const Entry& entry, uint64_t submission) {
    const std::lock_guard lock(mutex_);
    const bool known = !steps_.empty() && steps_.back().awaited >= submission;
    if (!submission || known || entry.pushes != pushes_) return;
    add(entry.time, submission);
  }
  // The program pushes work. Returns its steps since the last work.
  std::vector<arch::HostStep> push() {
    const std::lock_guard lock(mutex_);
    pushes_++;
    add(clock_(), 0);
    return std::exchange(steps_, {});
  }

 private:
  void add(uint64_t time, uint64_t awaited) {
    time = std::max(time, counted_);
    steps_.push_back({.nanoseconds = time - counted_, .awaited = awaited});
    counted_ = time;
  }

  mutable std::mutex mutex_;
  std::function<uint64_t()> clock_;
  uint64_t counted_;  // the time up to which steps tell
  uint64_t pushes_ = 0;
  std::vector<arch::HostStep> steps_;
};

}  // namespace cutaway::host
