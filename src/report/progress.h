#pragma once

#include <chrono>
#include <cstdint>
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

  // share: 0 to 1, or negative where it is not known. Not more often than ten times a
  // second, or at every interval.
  void update(double share, const std::string& text);
  // Something is done: a line that stays.
  void line(const std::string& text);
  void clear();

 private:
  bool quiet_, terminal_;
  std::chrono::milliseconds interval_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace cutaway::report
