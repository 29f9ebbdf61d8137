#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

namespace cutaway::host {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // nullopt: no deadline
Deadline deadline_after(uint64_t nanoseconds);                          // values past the clock's end: no
                                                                        // deadline

// The single waiting place of a device: every change of a fence or a semaphore wakes all waiters.
class SyncDomain {
 public:
  // Runs change() and wakes the waiters.
  template <class Change>
  void change(Change&& change) {
    {
      const std::lock_guard lock(mutex_);
      change();
    }
    changed_.notify_all();
  }
  // Waits until ready() or the deadline; returns ready().
  template <class Ready>
  bool wait(const Deadline& deadline, Ready&& ready) {
    std::unique_lock lock(mutex_);
    if (!deadline) {
      changed_.wait(lock, ready);
      return true;
    }
    return changed_.wait_until(lock, *deadline, ready);
  }
  // Runs read() while nothing can change.
  template <class Read>
  auto read(Read&& read) const {
    const std::lock_guard lock(mutex_);
    return read();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
};

// Both are read and written inside SyncDomain's functions only.
struct FenceState {
  bool signaled = false;
};
// Includes binary semaphores: signaled is 1, and a wait resets it to 0.
struct SemaphoreState {
  bool timeline = false;
  uint64_t value = 0;
};

}  // namespace cutaway::host
