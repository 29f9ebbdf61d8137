#include "app/frames.h"

#include <charconv>

#include "base/error.h"

namespace cutaway::app {
namespace {

uint64_t parse_number(std::string_view number, std::string_view whole) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || value == 0)
    user_error("--frames {}: expected a frame such as 3 or a range such as 2..4, counted from 1", whole);
  return value;
}

}  // namespace

FrameRange parse_frames(std::string_view text) {
  FrameRange range;
  const size_t dots = text.find("..");
  range.first = parse_number(text.substr(0, dots), text);
  if (dots == text.npos) range.last = range.first;
  else if (dots + 2 < text.size()) range.last = parse_number(text.substr(dots + 2), text);
  if (range.last < range.first) user_error("--frames {}: the range ends before it starts", text);
  return range;
}

std::string FrameRange::text() const {
  if (last == kLast) return fmt::format("{}..", first);
  return first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
}

}  // namespace cutaway::app
