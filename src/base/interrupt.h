#pragma once

#include <atomic>

namespace cutaway {

// While one lives, SIGINT, SIGTERM, SIGHUP and SIGPIPE are noted instead of ending the process, so that what
// is half made can be removed. One inside another changes nothing. For the main thread.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
};

namespace interrupt_detail {
extern std::atomic<bool> noted;
static_assert(std::atomic<bool>::is_always_lock_free);  // signal handlers set it
}  // namespace interrupt_detail

// Whether such a signal has come to this process since the outermost guard was made. Cheap, for any thread:
// whatever may work for more than a part of a second asks now and then.
inline bool interrupted() { return interrupt_detail::noted.load(std::memory_order_relaxed); }
// UserError if so.
void end_if_interrupted();

// In a child of a guarded process: the signals are the parent's, which ends the child.
void leave_interrupts_to_parent();

}  // namespace cutaway
