#include "replay/program_host.h"

#include <utility>

namespace cutaway::replay {

void ProgramHost::submit(const arch::Submission& recorded) {
  arch::Submission submission = recorded;
  submission.context = context_;
  submission.ahead = 0;
  acts_.push_back([this, submission](arch::Gpu& gpu) {
    handed_ = submission.id, submission_ = submission;
    handed_over_ = true;
    frames_.back().presents |= submission.presents;
    gpu.submit(submission);
  });
}

void ProgramHost::go_on(arch::Gpu& gpu, uint64_t ended, uint64_t now) {
  while (!done_ && !waits(ended)) {
    if (acts_.empty()) {
      if (!frames_.empty()) frames_.back().end = now;
      if (frame_ > last_) {
        done_ = true;
        return;
      }
      frames_.push_back({.number = frame_, .begin = now});
      reader_.play(frame_++, *this);
    }
    for (handed_over_ = false; !acts_.empty() && !handed_over_;) {
      acts_.front()(gpu);
      acts_.pop_front();
    }
    if (arch::Fault fault; gpu.fault(fault)) return;
  }
}

}  // namespace cutaway::replay
