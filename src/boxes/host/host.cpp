#include "boxes/host/host.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

constexpr double kMostCycles = 1e12;  // of a step, so that no sum of steps overflows

}  // namespace

Host::Host(std::string path, const HostSpec& spec, double mhz, unsigned presents)
    : Box(std::move(path)),
      spec_(spec),
      cycles_per_nanosecond_(mhz / 1000 / spec.cpu),
      interrupt_(static_cast<Cycle>(std::ceil(spec.interrupt_us * mhz))) {
  CUTAWAY_CHECK(spec.present());
  frames_.reset(spec.frames_in_flight + 1);
  unshown_.reset(spec.frames_in_flight + presents + 1);
}

void Host::list_ports(engine::PortList& list) {
  list("fences_in", fences_in, "a submission has ended");
  list("shown_in", shown_in, "the picture of a submission is on the screen");
}

std::vector<std::string_view> Host::costs_nothing() const {
  std::vector<std::string_view> work = {"Cores of the host: threads of the program share one",
                                        "Queries of the GPU's progress that the program does not wait for"};
  if (!interrupt_) work.push_back("The interrupt behind a fence, where `host.interrupt_us` is 0");
  if (!behind_bus) work.push_back("The fence's way to the host, where `bus.bytes_per_cycle` is 0");
  return work;
}

// ---- From outside ----

void Host::compute(uint64_t nanoseconds) {
  const double cycles = std::ceil(static_cast<double>(nanoseconds) * cycles_per_nanosecond_);
  const auto computes = static_cast<Cycle>(std::min(cycles, kMostCycles));
  if (frame_begins_) frame_begun_ = time_;
  frame_begins_ = false;
  time_ += computes;
  counters.computed += computes;
  if (time_ > domain().now()) begin(State::kComputes);
}

// A fence that has come earlier than the host got here holds nothing up.
void Host::await(uint64_t submission) {
  awaited_ = std::min(submission, handed_);
  if (awaited_ == ended_) time_ = std::max(time_, ended_at_);
  if (awaited_ <= ended_) return;
  counters.waits++;
  begin(State::kAwaitsEnd);
}

void Host::await_room() { begin(State::kAwaitsRoom); }

uint64_t Host::hand_over(uint64_t submission, bool presents) {
  if (state_ == State::kAwaitsRoom) {
    time_ = std::max(time_, domain().now());
    begin(State::kDone);
  }
  count_until(domain().now() + 1);
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

void Host::begin(State state) {
  count_until(domain().now() + 1);
  state_ = state;
  wake();
}

// ---- The order of a tick ----

Cycle Host::tick(Cycle now) {
  bool progress = take_fence(now);
  progress |= take_shown(now);
  switch (state_) {
    case State::kDone:
      break;
    case State::kComputes:
      if (now < time_) return busy(now, progress ? now + 1 : time_);
      count_until(now + 1);
      state_ = State::kDone;
      return busy(now);
    case State::kAwaitsEnd:
      if (ended_ < awaited_) return progress ? busy(now) : starved(now, fences_in);
      time_ = std::max(time_, now) + interrupt_;
      counters.interrupts += interrupt_;
      state_ = interrupt_ ? State::kInterrupted : State::kDone;
      return busy(now, interrupt_ ? time_ : now + 1);
    case State::kInterrupted:
      if (now < time_) return busy(now, progress ? now + 1 : time_);
      state_ = State::kDone;
      return busy(now);
    case State::kAwaitsRoom:
      return progress ? busy(now) : starved(now, fences_in);
  }
  return progress ? busy(now) : idle(now);
}

bool Host::take_fence(Cycle now) {
  const messages::Fence* fence = fences_in.peek(now);
  if (!fence) return false;
  count_until(now);
  ended_ = std::max(ended_, fence->submission), ended_at_ = now;
  for (uint32_t i = 0; i < frames_.size(); i++)
    if (Frame& frame = frames_[i]; !frame.ended && frame.submission <= ended_) frame.ended = now;
  fences_in.drop(now);
  return true;
}

// Pictures of submissions that the host has not handed over are of before.
bool Host::take_shown(Cycle now) {
  const messages::Fence* picture = shown_in.peek(now);
  if (!picture) return false;
  while (!unshown_.empty() && unshown_.front().submission <= picture->submission) {
    const Unshown frame = unshown_.pop();
    if (frame.submission != picture->submission) continue;
    counters.shown++;
    counters.latency += now - std::min(now, frame.begun);
  }
  shown_in.drop(now);
  return true;
}

void Host::count_until(Cycle next) {
  if (next <= counted_) return;
  if (state_ == State::kComputes && gpu_idle()) counters.alone += next - counted_;
  counted_ = next;
}

std::string Host::why_busy() const {
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
