#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "arch/gpu.h"

namespace cutaway::host {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // nullopt: no deadline
Deadline deadline_after(uint64_t nanoseconds);                          // values past the clock's end: no
                                                                        // deadline

// The single waiting place of a device: every change of a fence or a semaphore wakes all waiters. Knows which
// submissions have ended, and the last whose end the program may have seen: whoever waits or reads here may
// learn it.
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
    const bool met = wait_unseen(deadline, std::forward<Ready>(ready));
    look();
    return met;
  }
  // Runs read() while nothing can change.
  template <class Read>
  auto read(Read&& read) const {
    const std::lock_guard lock(mutex_);
    seen_ = ended_;
    return read();
  }
  // The program reads results of the GPU elsewhere: it may see all that has ended.
  void look() const {
    const std::lock_guard lock(mutex_);
    seen_ = ended_;
  }

  // ---- For the queue, which tells the program nothing ----

  void ended(uint64_t submission) {
    const std::lock_guard lock(mutex_);
    ended_ = submission;
  }
  uint64_t seen() const {  // the last submission whose end the program may have seen
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  template <class Ready>
  bool wait_unseen(const Deadline& deadline, Ready&& ready) {
    std::unique_lock lock(mutex_);
    if (!deadline) {
      changed_.wait(lock, ready);
      return true;
    }
    return changed_.wait_until(lock, *deadline, ready);
  }
  template <class Read>
  auto read_unseen(Read&& read) const {
    const std::lock_guard lock(mutex_);
    return read();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t ended_ = 0;
  mutable uint64_t seen_ = 0;
};

// By arch::QueueKind the last submission of each queue that ends before a point in a queue; 0: none.
using Reach = std::array<uint64_t, arch::kQueues>;

inline void extend(Reach& reach, const Reach& by) {
  for (size_t i = 0; i < reach.size(); i++) reach[i] = std::max(reach[i], by[i]);
}
inline uint64_t last_of(const Reach& reach) { return *std::max_element(reach.begin(), reach.end()); }

// Both are read and written inside SyncDomain's functions only.
struct FenceState {
  bool signaled = false;
  uint64_t submission = 0;  // the last before the signal
};
// Includes binary semaphores: signaled is 1, and a wait resets it to 0.
struct SemaphoreState {
  bool timeline = false;
  uint64_t value = 0;
  struct Signal {
    uint64_t value = 0;
    Reach reach{};
  };
  std::deque<Signal> signals = {};  // the latest
  Signal forgotten = {};            // all before them: the greatest value, and what any of them followed

  // Sets the value, and notes what ends before it; nothing: the program signals.
  void signal(uint64_t to, const Reach& reach) {
    constexpr size_t kSignals = 64;
    value = std::max(value, to);
    signals.push_back({value, reach});
    if (signals.size() <= kSignals) return;
    forgotten.value = signals.front().value;
    extend(forgotten.reach, signals.front().reach);
    signals.pop_front();
  }
  // "Semaphore Unsignal Operation": a wait takes a binary semaphore's signal.
  void take() {
    if (!timeline) value = 0, signals.clear(), forgotten = {};
  }
  // Returns all that the first signal of at least this value followed; if it is forgotten, more than that.
  Reach reach_of(uint64_t reached) const {
    const auto first = std::find_if(signals.begin(), signals.end(),
                                    [&](const Signal& signal) { return signal.value >= reached; });
    if (first == signals.end()) return {};
    Reach reach = first->reach;
    if (forgotten.value >= reached) extend(reach, forgotten.reach);
    return reach;
  }
  // The last submission of them; 0: none.
  uint64_t submission_of(uint64_t reached) const { return last_of(reach_of(reached)); }
};

}  // namespace cutaway::host
