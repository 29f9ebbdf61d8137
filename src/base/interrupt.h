#pragma once

#include <atomic>

namespace cutaway {

// While one lives, SIGINT, SIGTERM, SIGHUP and SIGPIPE are noted instead of ending the process, so that
// half-made output can be removed. Nested guards have no effect. For the main thread.
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

// True if such a signal has come to this process since the outermost guard was made. Cheap, callable from any
// thread: every loop that may run for more than a fraction of a second polls it.
inline bool interrupted() { return interrupt_detail::noted.load(std::memory_order_relaxed); }
// UserError if interrupted.
void end_if_interrupted();

// Leaves these signals to the parent, which ends the child. Call in a child of a guarded process.
void leave_interrupts_to_parent();

}  // namespace cutaway
