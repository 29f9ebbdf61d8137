#pragma once

#include <string>
#include <vector>

#include "boxes/host/host_spec.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/doorbell.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct HostCounters {
  uint64_t computed = 0, alone = 0, submissions = 0, waits = 0, interrupts = 0, shown = 0, latency = 0;

  template <class V>
  static void fields(V&& v) {
    using C = HostCounters;
    v("computed", &C::computed, "cycles", "time that the program and its driver computed");
    v("alone", &C::alone, "cycles", "of this, time in which the GPU had no submission");
    v("submissions", &C::submissions, "submissions", "submissions that were handed over");
    v("waits", &C::waits, "waits", "times at which the host waited for the GPU");
    v("interrupts", &C::interrupts, "cycles", "time from the fences of these waits until the host went on");
    v("shown", &C::shown, "frames", "frames of the host whose picture has come to the screen");
    v("latency", &C::latency, "cycles",
      "time from the begin of these frames on the host to the first row of their pictures on the screen");
  }
};

// The program and its driver on the host's processor, which does one thing at a time: it computes, waits
// until a submission has ended, or for room for its next one. Whoever plays a capture tells it what to do
// next when it is done; time goes on from there, also if it is told late: what it computed meanwhile is not
// computed again.
class Host final : public engine::Box {
 public:
  // mhz: of its clock. presents: pictures that may have been presented and not be scanned out.
  Host(std::string path, const HostSpec& spec, double mhz, unsigned presents);

  engine::In<messages::Fence> fences_in;
  engine::In<messages::Fence> shown_in;

  HostCounters counters;
  bool behind_bus = false;  // fences come over it; set before the first cycle

  // From outside, between cycles, while done().
  void compute(uint64_t nanoseconds);
  void await(uint64_t submission);  // submissions that were never handed over have ended
  void await_room();                // until hand_over()
  // Returns the submission that the host must await next, for a present; 0: none, or it has ended.
  uint64_t hand_over(uint64_t submission, bool presents);
  bool done() const { return state_ == State::kDone; }
  bool computes() const { return state_ == State::kComputes; }

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  void count_until(engine::Cycle next) override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  using Cycle = engine::Cycle;
  enum class State : uint8_t { kDone, kComputes, kAwaitsEnd, kInterrupted, kAwaitsRoom };

  void begin(State state);
  bool take_fence(Cycle now);
  bool take_shown(Cycle now);
  bool gpu_idle() const { return ended_ >= handed_; }

  HostSpec spec_;
  double cycles_per_nanosecond_;
  Cycle interrupt_;  // cycles
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
