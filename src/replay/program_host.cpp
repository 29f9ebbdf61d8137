#include "replay/program_host.h"

#include <utility>

namespace cutaway::replay {

void ProgramHost::submit(const arch::Submission& recorded) {
  arch::Submission submission = recorded;
  submission.context = context_;
  submission.ahead = 0;
  acts_.push_back(submission);
}

void ProgramHost::host(const arch::HostStep& step) {
  acts_.push_back(Computes{step.nanoseconds});
  if (step.awaited) acts_.push_back(Awaits{step.awaited});
}

// ---- Frames ----

// True if all of the frame has been played, and has ended.
bool ProgramHost::frame_ends(size_t frame, uint64_t ended) const {
  if (frame >= frames_.size() || frames_[frame].submission > ended) return false;
  return frame + 1 < frames_.size() || acts_.empty();
}

void ProgramHost::end_frames(uint64_t ended, uint64_t now) {
  for (; frame_ends(ended_frames_, ended); ended_frames_++) {
    Frame& frame = frames_[ended_frames_];
    if (ended_frames_) frame.begin = frames_[ended_frames_ - 1].end;
    frame.end = now;
    frame.ended = true;
  }
  done_ |= all_played() && ended_frames_ == frames_.size();
}

void ProgramHost::begin_frame(uint64_t now) {
  frames_.push_back({.number = frame_, .begin = now, .submission = handed_});
  reader_.play(frame_++, *this);
}

// ---- Acts ----

void ProgramHost::go_on(machine::Machine& gpu, uint64_t ended, uint64_t now) {
  end_frames(ended, now);
  while (!done_) {
    if (acts_.empty() && frame_ > last_) return;
    if (!gpu.host_of(context_) && waits(ended)) return;
    if (acts_.empty()) {
      begin_frame(now);
    } else if (may_play(gpu, ended)) {
      play(gpu);
    } else {
      if (may_begin_waiting(gpu)) gpu.host_of(context_)->await_room();
      return;
    }
    if (arch::Fault fault; gpu.fault(fault)) return;
    end_frames(ended, now);
  }
}

bool ProgramHost::goes_on(machine::Machine& gpu, uint64_t ended) const {
  if (done_) return false;
  if (frame_ends(ended_frames_, ended)) return true;
  if (acts_.empty()) return frame_ <= last_ && (gpu.host_of(context_) || !waits(ended));
  return may_play(gpu, ended) || may_begin_waiting(gpu);
}

// True if nothing holds the next act up.
bool ProgramHost::may_play(machine::Machine& gpu, uint64_t ended) const {
  const machine::HostProgram* const host = gpu.host_of(context_);
  if (!host) return !waits(ended);
  if (std::holds_alternative<OnMemory>(acts_.front())) return true;
  if (std::holds_alternative<arch::Submission>(acts_.front()))
    return (host->done() || host->awaits_room()) && gpu.accepts(context_);
  return host->done();
}

// True if the host has come to a submission for which there is no room.
bool ProgramHost::may_begin_waiting(machine::Machine& gpu) const {
  const machine::HostProgram* const host = gpu.host_of(context_);
  return host && host->done() && std::holds_alternative<arch::Submission>(acts_.front()) &&
         !gpu.accepts(context_);
}

// What a host in time does to memory is done with the next submission: then the one before has ended.
void ProgramHost::play(machine::Machine& gpu) {
  const Act act = std::move(acts_.front());
  acts_.pop_front();
  machine::HostProgram* const host = gpu.host_of(context_);
  if (const auto* on_memory = std::get_if<OnMemory>(&act)) {
    if (host) before_.push_back(*on_memory);
    else (*on_memory)(gpu);
  } else if (const auto* submission = std::get_if<arch::Submission>(&act)) {
    hand_over(gpu, *submission);
  } else if (const auto* computes = std::get_if<Computes>(&act)) {
    if (host) host->compute(computes->nanoseconds);
  } else if (const auto* awaits = std::get_if<Awaits>(&act)) {
    if (host) host->await(awaits->submission);
  }
}

void ProgramHost::hand_over(machine::Machine& gpu, const arch::Submission& submission) {
  for (const OnMemory& act : std::exchange(before_, {})) act(gpu);
  handed_ = submission.id, submission_ = submission;
  frames_.back().presents |= submission.presents;
  frames_.back().submission = handed_;
  gpu.submit(submission);
}

}  // namespace cutaway::replay
