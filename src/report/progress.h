#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace cutaway::report {

// What a command is doing, on standard error: a line that is drawn over on a terminal, else a plain line for
// each thing that is worth one. Nothing when quiet.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  // share: 0 to 1, or negative where it is not known. On a terminal only, and not more often than ten times a
  // second.
  void update(double share, const std::string& text);
  // Something is done: a line that stays.
  void line(const std::string& text);
  void clear();

 private:
  bool quiet_, terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace cutaway::report
