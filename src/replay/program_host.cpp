#include "replay/program_host.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace cutaway::replay {

void ProgramHost::submit(const arch::Submission& recorded) {
  if (recorded.id <= recorded_)
    user_error(
        "frame {}: submission {} follows submission {}; the numbers of a program's submissions must rise",
        frame_ - 1, recorded.id, recorded_);
  recorded_ = recorded.id;
  arch::Submission submission = recorded;
  submission.context = context_;
  acts_.push_back(submission);
}

void ProgramHost::host(const arch::HostStep& step) {
  acts_.push_back(Computes{step.nanoseconds});
  if (step.awaited) acts_.push_back(Awaits{step.awaited});
}

bool ProgramHost::host_done(machine::Machine& gpu) const {
  const machine::HostProgram* const host = gpu.host_of(context_);
  return !host || host->done();
}

// ---- Frames ----

// True if the first frame that has not ended does. All of a frame has been played when the next one begins.
bool ProgramHost::frame_ends(machine::Machine& gpu, uint64_t ended) const {
  if (ended_frames_ >= frames_.size() || frames_[ended_frames_].submission > ended) return false;
  return ended_frames_ + 1 < frames_.size() || (acts_.empty() && host_done(gpu));
}

void ProgramHost::end_frames(machine::Machine& gpu, uint64_t ended, uint64_t now) {
  for (; frame_ends(gpu, ended); ended_frames_++) {
    Frame& frame = frames_[ended_frames_];
    if (ended_frames_) frame.begin = frames_[ended_frames_ - 1].end;
    frame.end = now;
    frame.ended = true;
    if (frame.presents) windows_.note_ended(context_, frame.number);
  }
  done_ |= all_played() && ended_frames_ == frames_.size();
}

bool ProgramHost::may_begin_frame(machine::Machine& gpu, uint64_t ended) const {
  return frame_ <= last_ && (gpu.host_of(context_) ? host_done(gpu) : !waits(ended));
}

void ProgramHost::begin_frame(uint64_t now) {
  frames_.push_back({.number = frame_, .begin = now, .submission = handed_});
  reader_.play(frame_++, *this);
}

bool ProgramHost::has_ended(uint64_t frame) const {
  return std::any_of(frames_.begin(), frames_.end(),
                     [&](const Frame& each) { return each.number == frame && each.ended; });
}

// ---- Acts ----

void ProgramHost::go_on(machine::Machine& gpu, uint64_t ended, uint64_t now) {
  play_all(gpu, ended, now);
  note_window(gpu, now);
}

void ProgramHost::play_all(machine::Machine& gpu, uint64_t ended, uint64_t now) {
  for (end_frames(gpu, ended, now); !done_; end_frames(gpu, ended, now)) {
    if (may_end_memory(gpu)) {
      do_before(gpu);
    } else if (acts_.empty()) {
      if (!may_begin_frame(gpu, ended)) return;
      begin_frame(now);
    } else if (may_play(gpu, ended)) {
      play(gpu);
    } else {
      if (may_begin_waiting(gpu)) gpu.host_of(context_)->await_room();
      return;
    }
    if (arch::Fault fault; gpu.fault(fault)) return;
  }
}

bool ProgramHost::goes_on(machine::Machine& gpu, uint64_t ended) const {
  if (done_) return false;
  if (frame_ends(gpu, ended) || may_end_memory(gpu)) return true;
  if (acts_.empty()) return may_begin_frame(gpu, ended);
  return may_play(gpu, ended) || may_begin_waiting(gpu);
}

// True if no submission comes with which the rest could be done.
bool ProgramHost::may_end_memory(machine::Machine& gpu) const {
  return !before_.empty() && acts_.empty() && frame_ > last_ && has_room(gpu);
}

// True if a window does not hold this act of the frame up.
bool ProgramHost::may_change_memory(const OnMemory& act) const {
  return windows_.may_draw(context_, frames_.back().number) &&
         windows_.may_unmap(context_, act.unmapped, act.unmapped_bytes);
}

// True if the program's next submission may be handed over, with what its host does to memory before: its
// last one has ended, and no window holds it up.
bool ProgramHost::has_room(machine::Machine& gpu) const {
  return gpu.accepts(context_) && windows_.may_draw(context_, frames_.back().number) &&
         std::all_of(before_.begin(), before_.end(),
                     [this](const auto& act) { return may_change_memory(act); });
}

// True if nothing holds the next act up.
bool ProgramHost::may_play(machine::Machine& gpu, uint64_t ended) const {
  const machine::HostProgram* const host = gpu.host_of(context_);
  const auto* const on_memory = std::get_if<OnMemory>(&acts_.front());
  const bool submits = std::holds_alternative<arch::Submission>(acts_.front());
  if (!host)
    return !waits(ended) && (!submits || has_room(gpu)) && (!on_memory || may_change_memory(*on_memory));
  if (submits) return (host->done() || host->awaits_room()) && has_room(gpu);
  return on_memory || host->done();
}

// True if the host has come to a submission for which there is no room. One that must follow those that the
// program had seen end is kept until then, and the host computes on, as on a machine of one context.
bool ProgramHost::may_begin_waiting(machine::Machine& gpu) const {
  const auto* const submission = std::get_if<arch::Submission>(&acts_.front());
  if (!submission || !gpu.host_of(context_) || !host_done(gpu) || has_room(gpu)) return false;
  return submission->ahead || gpu.accepts(context_);
}

// True if a window alone holds the next act up.
bool ProgramHost::held_by_window(machine::Machine& gpu) const {
  if (done_ || acts_.empty() || !gpu.accepts(context_)) return false;
  const machine::HostProgram* const host = gpu.host_of(context_);
  if (std::holds_alternative<arch::Submission>(acts_.front()))
    return !has_room(gpu) && (!host || host->done() || host->awaits_room());
  const auto* const on_memory = std::get_if<OnMemory>(&acts_.front());
  return on_memory && !host && !may_change_memory(*on_memory);
}

void ProgramHost::note_window(machine::Machine& gpu, uint64_t now) {
  const bool held = held_by_window(gpu);
  if (held && !window_since_) window_since_ = now;
  if (!held && window_since_) waited_for_window_ += now - *std::exchange(window_since_, {});
}

void ProgramHost::play(machine::Machine& gpu) {
  const Act act = std::move(acts_.front());
  acts_.pop_front();
  machine::HostProgram* const host = gpu.host_of(context_);
  if (const auto* on_memory = std::get_if<OnMemory>(&act)) {
    before_.push_back(*on_memory);
    if (has_room(gpu)) do_before(gpu);
  } else if (const auto* submission = std::get_if<arch::Submission>(&act)) {
    hand_over(gpu, *submission);
  } else if (const auto* computes = std::get_if<Computes>(&act)) {
    if (host) host->compute(computes->nanoseconds);
  } else if (const auto* awaits = std::get_if<Awaits>(&act)) {
    if (host) host->await(awaits->submission);
  }
}

void ProgramHost::do_before(machine::Machine& gpu) {
  for (const OnMemory& on_memory : std::exchange(before_, {})) {
    on_memory.act(gpu);
    if (on_memory.unmapped_bytes)
      windows_.note_unmapped(context_, on_memory.unmapped, on_memory.unmapped_bytes);
  }
}

void ProgramHost::hand_over(machine::Machine& gpu, arch::Submission submission) {
  Frame& frame = frames_.back();
  if (!std::exchange(frame.begun, true) && context_ == Windows::kCompositor)
    windows_.begin_frame(gpu, frame.number);
  do_before(gpu);
  submission.ahead = 0;
  handed_ = submission.id, submission_ = submission;
  frame.presents |= submission.presents;
  frame.submission = handed_;
  gpu.submit(submission);
}

}  // namespace cutaway::replay
