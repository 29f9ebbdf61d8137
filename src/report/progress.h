#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace cutaway::report {

// Shows a command's progress on standard error: on a terminal as one line that is redrawn, otherwise as a
// plain line for each notable event and at regular intervals. Silent if quiet. Texts may hold names from
// outside: they are printed by one_line().
class Progress {
 public:
  // interval: between regular lines if there is no terminal.
  explicit Progress(bool quiet, std::chrono::milliseconds interval = std::chrono::seconds(10));
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  // share: completed share of the work, 0 to 1, or negative if unknown. Also shows the remaining time once
  // there is progress, extrapolated from the first share or the last decrease of the share (the start of
  // another task). Redraws at most ten times a second, or at every interval.
  void update(double share, const std::string& text);
  // Excludes a pause from the estimate of the remaining time.
  void leave_out(std::chrono::duration<double> pause);
  // Seconds of work left, by the last share; none: not known yet.
  std::optional<double> seconds_left() const;
  // Prints a line that stays.
  void line(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void note(double share, Clock::time_point now);

  bool quiet_, terminal_;
  std::chrono::milliseconds interval_;
  bool drawn_ = false;
  Clock::time_point last_ = Clock::now();
  // The first and last share of the current task, with their times.
  double first_share_ = -1, share_ = -1;
  Clock::time_point first_time_, time_;
};

}  // namespace cutaway::report
