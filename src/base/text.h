#pragma once

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

// Escapes control characters (
// , \x1b), so that names from files and command lines stay on one line.
inline std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') line += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else line += c;
  }
  return line;
}

// Converts possibly invalid UTF-8 to valid UTF-8: each byte that belongs to no character becomes U+FFFD.
// Control characters are escaped.
std::string readable(std::string_view bytes);

}  // namespace cutaway
