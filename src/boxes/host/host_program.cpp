#include "boxes/host/host_program.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

constexpr double kMostCycles = 1e12;  // of a step, so that no sum of steps overflows

}  // namespace

HostProgram::HostProgram(engine::Box& box, const HostSpec& spec, double mhz, unsigned presents)
    : box_(box),
      spec_(spec),
      cycles_per_nanosecond_(mhz / 1000 / spec.cpu),
      interrupt_(static_cast<Cycle>(std::ceil(spec.interrupt_us * mhz))) {
  CUTAWAY_CHECK(spec.present());
  frames_.reset(spec.frames_in_flight + 1);
  unshown_.reset(spec.frames_in_flight + presents + 1);
}

// ---- From outside ----

void HostProgram::compute(uint64_t nanoseconds) {
  const double cycles = std::ceil(static_cast<double>(nanoseconds) * cycles_per_nanosecond_);
  const auto computes = static_cast<Cycle>(std::min(cycles, kMostCycles));
  if (frame_begins_) frame_begun_ = time_;
  frame_begins_ = false;
  time_ += computes;
  counters.computed += computes;
  if (time_ > now()) begin(State::kComputes);
}

// A fence that has come earlier than the host got here holds nothing up.
void HostProgram::await(uint64_t submission) {
  awaited_ = std::min(submission, handed_);
  if (awaited_ == ended_) time_ = std::max(time_, ended_at_);
  if (awaited_ <= ended_) return;
  counters.waits++;
  begin(State::kAwaitsEnd);
}

void HostProgram::await_room() { begin(State::kAwaitsRoom); }

uint64_t HostProgram::hand_over(uint64_t submission, bool presents) {
  if (state_ == State::kAwaitsRoom) {
    time_ = std::max(time_, now());
    begin(State::kDone);
  }
  count(now() + 1);
  if (!handed_) ended_ = submission - 1;
  handed_ = submission;
  counters.submissions++;
  if (!presents) return 0;
  frame_begins_ = true;
  if (unshown_.full()) unshown_.drop();
  unshown_.push({.submission = submission, .begun = frame_begun_});
  frames_.push({.submission = submission});
  if (frames_.size() <= spec_.frames_in_flight) return 0;
  const Frame frame = frames_.pop();
  time_ = std::max(time_, frame.ended);
  return frame.ended ? 0 : frame.submission;
}

void HostProgram::begin(State state) {
  count(now() + 1);
  state_ = state;
  box_.wake();
}

void HostProgram::take_over(const HostProgram& before) {
  handed_ = before.handed_, ended_ = before.ended_, awaited_ = before.awaited_;
  frames_ = before.frames_, unshown_ = before.unshown_;
  time_ = before.time_, ended_at_ = before.ended_at_, counted_ = before.counted_;
  frame_begun_ = before.frame_begun_, frame_begins_ = before.frame_begins_;
  origin_ = before.now();
  begin(before.state_);
}

// ---- In a cycle ----

Cycle HostProgram::step(Cycle box_now) {
  const Cycle now = box_now + origin_;
  switch (state_) {
    case State::kDone:
    case State::kAwaitsRoom:
      return 0;
    case State::kComputes:
    case State::kInterrupted:
      if (now < time_) return time_ - origin_;
      count(now + 1);
      state_ = State::kDone;
      return box_now + 1;
    case State::kAwaitsEnd:
      if (ended_ < awaited_) return 0;
      time_ = std::max(time_, now) + interrupt_;
      counters.interrupts += interrupt_;
      state_ = interrupt_ ? State::kInterrupted : State::kDone;
      return interrupt_ ? time_ - origin_ : box_now + 1;
  }
  return 0;
}

void HostProgram::note_ended(Cycle box_now, uint64_t submission) {
  const Cycle now = box_now + origin_;
  count(now);
  ended_ = std::max(ended_, submission), ended_at_ = now;
  for (uint32_t i = 0; i < frames_.size(); i++)
    if (Frame& frame = frames_[i]; !frame.ended && frame.submission <= ended_) frame.ended = now;
}

// Pictures of submissions that the host has not handed over are of before.
void HostProgram::note_shown(Cycle box_now, uint64_t submission) {
  const Cycle now = box_now + origin_;
  while (!unshown_.empty() && unshown_.front().submission <= submission) {
    const Unshown frame = unshown_.pop();
    if (frame.submission != submission) continue;
    counters.shown++;
    counters.latency += now - std::min(now, frame.begun);
  }
}

void HostProgram::count_until(Cycle next) { count(next + origin_); }

void HostProgram::count(Cycle next) {
  if (next <= counted_) return;
  if (state_ == State::kComputes && gpu_idle()) counters.alone += next - counted_;
  counted_ = next;
}

std::string HostProgram::why_busy() const {
  switch (state_) {
    case State::kDone:
      break;
    case State::kComputes:
      return fmt::format("computes until cycle {}", time_);
    case State::kAwaitsEnd:
      return fmt::format("waits for the end of submission {}", awaited_);
    case State::kInterrupted:
      return fmt::format("is interrupted until cycle {}", time_);
    case State::kAwaitsRoom:
      return "waits for room for a submission";
  }
  return "";
}

}  // namespace cutaway::boxes
