#pragma once

namespace cutaway {

// While one lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, so that what is half
// made can be removed. One inside another changes nothing. For the main thread.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
};

// Whether such a signal has come to this process since the outermost guard was made.
bool interrupted();
// UserError if so.
void end_if_interrupted();

// In a child of a guarded process: the signals are the parent's, which ends the child.
void leave_interrupts_to_parent();

}  // namespace cutaway
