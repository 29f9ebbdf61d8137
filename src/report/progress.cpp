#include "report/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cutaway::report {

namespace {

// Where standard error cannot be written, the work goes on all the same.
void write_error_text(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace

Progress::Progress(bool quiet, std::chrono::milliseconds interval)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO)), interval_(interval) {}

void Progress::update(double share, const std::string& text) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(drawn_ ? 100 : 0) : interval_;
  if (now - last_ < pause) return;
  last_ = now;
  if (!terminal_) return line(text);
  drawn_ = true;
  std::string bar;
  if (share >= 0) {
    constexpr int kWidth = 30;
    const int full = static_cast<int>(std::lround(std::min(share, 1.0) * kWidth));
    bar =
        fmt::format("[{:#<{}}{: <{}}] {:3.0f} %  ", "", full, "", kWidth - full, std::min(share, 1.0) * 100);
  }
  write_error_text("\r\033[K" + bar + text);
  std::fflush(stderr);
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  clear();
  write_error_text(text + "\n");
}

void Progress::clear() {
  if (drawn_) write_error_text("\r\033[K");
  drawn_ = false;
}

}  // namespace cutaway::report
