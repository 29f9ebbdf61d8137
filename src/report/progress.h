#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace cutaway::report {

// What a command is doing, on standard error: a line that is drawn over on a terminal, else a plain line for
// each thing that is worth one, and one now and then that tells how far it is. Nothing when quiet.
class Progress {
 public:
  // interval: from such a line to the next where there is no terminal.
  explicit Progress(bool quiet, std::chrono::milliseconds interval = std::chrono::seconds(10));
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  // share: of the work that is done, 0 to 1, or negative where it is not known. The time left is told too, as
  // soon as something has been done: it is judged by what was done since the first share, or since one that
  // is less than the one before, where another work begins. Not more often than ten times a second, or at
  // every interval.
  void update(double share, const std::string& text);
  // Time that passed without any work, which says nothing of the time left.
  void leave_out(std::chrono::duration<double> pause);
  // Seconds of work left, by the last share; none: not known yet.
  std::optional<double> seconds_left() const;
  // Something is done: a line that stays.
  void line(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void note(double share, Clock::time_point now);

  bool quiet_, terminal_;
  std::chrono::milliseconds interval_;
  bool drawn_ = false;
  Clock::time_point last_ = Clock::now();
  // Of the work: the share with which it was first seen, and the last, with their times.
  double first_share_ = -1, share_ = -1;
  Clock::time_point first_time_, time_;
};

}  // namespace cutaway::report
