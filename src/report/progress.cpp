#include "report/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"

namespace cutaway::report {

namespace {

// If standard error cannot be written, the work continues.
void write_error_text(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace

Progress::Progress(bool quiet, std::chrono::milliseconds interval)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO)), interval_(interval) {}

void Progress::update(double share, const std::string& text) {
  const auto now = Clock::now();
  note(share, now);
  if (quiet_) return;
  const auto pause = terminal_ ? std::chrono::milliseconds(drawn_ ? 100 : 0) : interval_;
  if (now - last_ < pause) return;
  last_ = now;
  const std::optional<double> left = share < 0 ? std::nullopt : seconds_left();
  const std::string told =
      one_line(left ? fmt::format("{}, about {} left", text, duration_text(*left)) : text);
  if (!terminal_) return line(told);
  drawn_ = true;
  std::string bar;
  if (share >= 0) {
    constexpr int kWidth = 30;
    const int full = static_cast<int>(std::lround(std::min(share, 1.0) * kWidth));
    bar =
        fmt::format("[{:#<{}}{: <{}}] {:3.0f} %  ", "", full, "", kWidth - full, std::min(share, 1.0) * 100);
  }
  write_error_text("\r\033[K" + bar + told);
  std::fflush(stderr);
}

void Progress::note(double share, Clock::time_point now) {
  if (share < 0) return;
  if (first_share_ < 0 || share < share_) first_share_ = share, first_time_ = now;
  share_ = share, time_ = now;
}

void Progress::leave_out(std::chrono::duration<double> pause) {
  first_time_ += std::chrono::duration_cast<Clock::duration>(pause);
  time_ += std::chrono::duration_cast<Clock::duration>(pause);
}

std::optional<double> Progress::seconds_left() const {
  constexpr double kLeastShare = 0.005, kLeastSeconds = 0.5;  // minima for an estimate
  const double passed = std::chrono::duration<double>(time_ - first_time_).count();
  const double done = share_ - first_share_;
  if (first_share_ < 0 || done < kLeastShare || passed < kLeastSeconds) return {};
  return std::max(0.0, passed / done * (1 - share_));
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  clear();
  write_error_text(one_line(text) + "\n");
}

void Progress::clear() {
  if (drawn_) write_error_text("\r\033[K");
  drawn_ = false;
}

}  // namespace cutaway::report
