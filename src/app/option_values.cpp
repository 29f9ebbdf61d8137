#include "app/option_values.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace cutaway::app {
namespace {

// Parses decimal, or hexadecimal after 0x; nothing: not a 64-bit number.
std::optional<uint64_t> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

uint64_t program_number(const std::string& text) {
  const auto number = parse_number(text);
  if (!number) user_error("--program {}: not a number of 64 bits; `cutaway disasm FILE` shows them", text);
  return *number;
}

uint32_t small_number(const char* option, const std::string& text, uint32_t least) {
  const auto number = parse_number(text);
  if (!number || *number < least || *number > ~uint32_t{0})
    user_error("{} {}: expected a number from {} to {}", option, text, least, ~uint32_t{0});
  return static_cast<uint32_t>(*number);
}

std::pair<int32_t, int32_t> pixel(const char* option, const std::string& text) {
  const size_t comma = text.find(',');
  const auto x = parse_number(text.substr(0, comma));
  const auto y = parse_number(comma == text.npos ? "" : text.substr(comma + 1));
  constexpr uint64_t kMost = 1 << 16;
  if (!x || !y || *x > kMost || *y > kMost)
    user_error("{} {}: expected a pixel such as 120,45, from the upper left corner", option, text);
  return {static_cast<int32_t>(*x), static_cast<int32_t>(*y)};
}

uint64_t seed_number(const std::string& text) {
  const auto number = parse_number(text);
  if (!number) user_error("--seed {}: expected a number from 0 to {}", text, ~uint64_t{0});
  return *number;
}

}  // namespace cutaway::app
