#include "app/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

#include "app/text.h"

namespace cutaway::app {
namespace {

int output_error = 0;
std::vector<std::string> results;

}  // namespace

namespace terminal_detail {

// Not buffered: errors are known at once, and workers inherit nothing to write.
void write_output(std::string_view text) {
  while (!text.empty() && !output_error) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno != EINTR) output_error = errno;
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
}

void write_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace terminal_detail

void tell_lines(std::string_view text) { terminal_detail::write_output(lines_of(text)); }

void tell_wrapped(std::string_view text) {
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col;
  tell_lines(known ? wrapped(std::string(text), std::max<size_t>(size.ws_col, 40)) : std::string(text));
}

void tell_exactly(std::string_view bytes) { terminal_detail::write_output(bytes); }

void tell_error_lines(std::string_view text) { terminal_detail::write_error(lines_of(text)); }

void note_result(const std::filesystem::path& place) { results.push_back(one_line(place.string())); }

std::string noted_results() {
  std::string text;
  for (size_t i = 0; i < results.size(); i++)
    text += (i == 0 ? "" : i + 1 == results.size() ? " and " : ", ") + results[i];
  return text;
}

int failed_output() { return output_error; }

}  // namespace cutaway::app
