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

}  // namespace cutaway::app
