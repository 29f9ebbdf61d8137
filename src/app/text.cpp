#include "app/text.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"

namespace cutaway::app {

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  double value = static_cast<double>(bytes) / 1000;
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (value >= 1000 && unit < 3) value /= 1000, unit++;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string short_value(const std::string& value) {
  constexpr size_t kLongest = 80;
  const auto commas = std::count(value.begin(), value.end(), ',');
  return value.size() <= kLongest ? value : fmt::format("{} of them", commas + 1);
}

std::string wrapped(const std::string& text, size_t columns) {
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()) + 2, ' ');
    for (size_t least = indent.size() - 2; line.size() > columns; least = indent.size()) {
      size_t cut = line.rfind(' ', columns);
      if (cut == line.npos || cut < least) cut = line.find(' ', least);
      if (cut == line.npos) break;
      out += line.substr(0, cut) + "\n";
      line = indent + line.substr(cut + 1);
    }
    out += line;
    if (end < text.size()) out += "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace cutaway::app
