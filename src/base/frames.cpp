#include "base/frames.h"

#include <charconv>

#include "base/error.h"

namespace cutaway {
namespace {

uint64_t parse_number(std::string_view number, std::string_view whole, std::string_view where,
                      std::string_view what) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || value == 0)
    user_error("{} {}: expected a {} such as 3 or a range such as 2..4, counted from 1", where, whole, what);
  return value;
}

}  // namespace

FrameRange parse_frames(std::string_view text, std::string_view where, std::string_view what) {
  FrameRange range;
  const size_t dots = text.find("..");
  range.first = parse_number(text.substr(0, dots), text, where, what);
  if (dots == text.npos) range.last = range.first;
  else if (dots + 2 < text.size()) range.last = parse_number(text.substr(dots + 2), text, where, what);
  if (range.last < range.first) user_error("{} {}: the range ends before it starts", where, text);
  return range;
}

std::string FrameRange::text() const {
  if (last == kLast) return fmt::format("{}..", first);
  return first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
}

}  // namespace cutaway
