#pragma once

#include <string>

#include "boxes/host/host_spec.h"
#include "engine/box.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct HostCounters {
  uint64_t computed = 0, alone = 0, submissions = 0, waits = 0, interrupts = 0, shown = 0, latency = 0;

  template <class V>
  static void fields(V&& v) {
    using C = HostCounters;
    v("computed", &C::computed, "cycles", "time that the program and its driver computed");
    v("alone", &C::alone, "cycles", "of this, time in which the GPU had no submission of the program");
    v("submissions", &C::submissions, "submissions", "submissions that were handed over");
    v("waits", &C::waits, "waits", "times at which the host waited for the GPU");
    v("interrupts", &C::interrupts, "cycles", "time from the fences of these waits until the host went on");
    v("shown", &C::shown, "frames", "frames of the host whose picture has come to the screen");
    v("latency", &C::latency, "cycles",
      "time from the begin of these frames on the host to the first row of their pictures on the screen");
  }
};

// A program and its driver on a core of the host's processor, which does one thing at a time: it computes,
// waits until a submission has ended, or for room for its next one. Whoever plays a capture tells it what to
// do next when it is done; time goes on from there, also if it is told late: what it computed meanwhile is
// not computed again.
class HostProgram {
 public:
  using Cycle = engine::Cycle;

  // box: the host, whose clock has `mhz`. presents: pictures that may have been presented and not be scanned
  // out.
  HostProgram(engine::Box& box, const HostSpec& spec, double mhz, unsigned presents);

  HostCounters counters;

  // From outside, between cycles, while done().
  void compute(uint64_t nanoseconds);
  void await(uint64_t submission);  // submissions that were never handed over have ended
  void await_room();                // until hand_over()
  // Returns the submission that the host must await next, for a present; 0: none, or it has ended.
  uint64_t hand_over(uint64_t submission, bool presents);
  bool done() const { return state_ == State::kDone; }
  bool computes() const { return state_ == State::kComputes; }
  bool awaits_room() const { return state_ == State::kAwaitsRoom; }
  // Ends the program: it computes and waits no longer.
  void stop() { begin(State::kDone); }
  // Goes on where a program of a GPU that was reset is, on a machine whose clock begins anew. Counters begin
  // with 0.
  void take_over(const HostProgram& before);

  // For the box, in its cycle `now`: a submission has ended, or its picture is on the screen.
  void note_ended(Cycle now, uint64_t submission);
  void note_shown(Cycle now, uint64_t submission);
  // Takes the step of a cycle. Returns until when the program is busy; 0: it waits for the GPU, or is done.
  Cycle step(Cycle now);
  void count_until(Cycle next);
  std::string why_busy() const;

 private:
  enum class State : uint8_t { kDone, kComputes, kAwaitsEnd, kInterrupted, kAwaitsRoom };

  // Times of a program count from the first cycle of the first machine that it ran on.
  Cycle now() const { return box_.domain().now() + origin_; }
  void count(Cycle next);
  void begin(State state);
  bool gpu_idle() const { return ended_ >= handed_; }

  engine::Box& box_;
  HostSpec spec_;
  double cycles_per_nanosecond_;
  Cycle interrupt_;   // cycles
  Cycle origin_ = 0;  // cycles of the machines before the last reset
  State state_ = State::kDone;
  Cycle time_ = 0;                                 // until when the host has acted, or computes or wakes
  Cycle counted_ = 0;                              // until when `alone` is counted
  uint64_t handed_ = 0, ended_ = 0, awaited_ = 0;  // submissions
  Cycle ended_at_ = 0;                             // when the last fence came
  struct Frame {
    uint64_t submission = 0;  // that presented it
    Cycle ended = 0;          // when its fence came; 0: not yet
  };
  structures::Ring<Frame> frames_;  // that the host has not awaited
  struct Unshown {
    uint64_t submission = 0;  // that presented it
    Cycle begun = 0;
  };
  structures::Ring<Unshown> unshown_;  // frames whose pictures are not on the screen, oldest first
  Cycle frame_begun_ = 0;              // the frame that the host computes
  bool frame_begins_ = true;           // with the next step that computes
};

}  // namespace cutaway::boxes
