#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/live_control.h"
#include "machine/glance.h"
#include "replay/clocked_frame.h"
#include "run_record/timeline.h"

namespace cutaway::replay {

// Options of a live view of simulated frames.
struct LiveOptions {
  LiveControl* control = nullptr;  // shared by all simulating processes
  // Called in the process that started the simulation, with the progress of a frame ("null" when it is not
  // being clocked) and the recorded timelines, as the JSON of `running` and `recordings` in docs/live.md.
  std::function<void(uint64_t frame, const std::string&json)> on_running, on_recording;
  // Writes a timeline and returns its file name; called in a worker. UserError: it cannot be written.
  std::function<std::string(const run_record::Timeline&)> write_timeline;
};

// The worker's side: observes a frame's machine while it runs, and executes the view's requests.
class LiveFrame {
 public:
  using Tell = std::function<void(char kind, const std::string& json)>;
  static constexpr char kRunning = 'l', kRecording = 't';

  LiveFrame(const LiveOptions& options, uint64_t frame, uint64_t draws, Tell tell)
      : options_(options), frame_(frame), draws_(draws), tell_(std::move(tell)) {}

  // Call when the frame's warm-up is over.
  void begin(FrameClock& clock);
  // Call from on_progress: waits while the view is paused.
  void look(FrameClock& clock, uint64_t cycles, double share);
  void end(FrameClock& clock);
  double paused_seconds() const { return paused_.count(); }

 private:
  using Clock = std::chrono::steady_clock;
  void wait_while_paused(uint64_t cycles, double share);
  void follow_recording(FrameClock& clock);
  void stop_recording(FrameClock& clock);
  void tell_running(uint64_t cycles, double share);

  const LiveOptions& options_;
  uint64_t frame_, draws_;
  Tell tell_;
  std::optional<machine::Glance> glance_;
  bool began_ = false;
  Clock::time_point told_{};
  std::chrono::duration<double> paused_{};
};

}  // namespace cutaway::replay
