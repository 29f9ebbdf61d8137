#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/live_control.h"
#include "base/timeline.h"
#include "machine/glance.h"
#include "replay/clocked_frame.h"

namespace cutaway::replay {

// A live view of frames that are simulated.
struct LiveOptions {
  LiveControl* control = nullptr;  // shared by all processes that simulate
  // What goes on in a frame, "null" when it is off the clock, and timelines that were recorded: an object of
  // JSON as docs/live.md has them in `running` and `recordings`. In the process that started the simulation.
  std::function<void(uint64_t frame, const std::string&json)> on_running, on_recording;
  // Writes a timeline and tells its file; in a worker. UserError: it cannot be written.
  std::function<std::string(const Timeline&)> write_timeline;
};

// The worker's side: looks at a frame's machine while it runs, and does what the view asks for.
class LiveFrame {
 public:
  using Tell = std::function<void(char kind, const std::string& json)>;
  static constexpr char kRunning = 'l', kRecording = 't';

  LiveFrame(const LiveOptions& options, uint64_t frame, uint64_t draws, Tell tell)
      : options_(options), frame_(frame), draws_(draws), tell_(std::move(tell)) {}

  // The frame's warm-up is over.
  void begin(FrameClock& clock);
  // From on_progress: waits while the view is paused.
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
