#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace cutaway {

// A count and its noun, plural unless the count is 1: "1 frame", "3 frames".
inline std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "1,234,567"
inline std::string grouped(uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// A rounded duration in a suitable unit: "12 s", "34 min", "2.5 h".
inline std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// A simulated duration with three digits: "42.1 us", "3.05 ms", "1.20 s".
std::string time_text(double seconds);

// Text from outside (a path, an argument, a label, a name, metadata) for a message, a table or a terminal:
// one line of valid UTF-8. Escapes control characters (\n, \x1b), line separators and marks that change the
// direction of writing (\u202e). Each byte that belongs to no character becomes U+FFFD.
std::string one_line(std::string_view text);

// The same for a text of several lines: keeps its newlines.
std::string lines_of(std::string_view text);

// Valid UTF-8: replaces each byte that belongs to no character by U+FFFD, and keeps all else.
std::string valid_utf8(std::string_view bytes);

// Writes bytes as valid UTF-8 from which unescape_bytes() makes the same bytes again: '%' and each byte that
// belongs to no character become "%XX".
std::string escape_bytes(std::string_view bytes);
std::string unescape_bytes(std::string_view text);

}  // namespace cutaway
