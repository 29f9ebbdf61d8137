#include "base/text.h"

#include <algorithm>

namespace cutaway {
namespace {

// Length in bytes of the UTF-8 character at the start of the text, or 0 if there is none. Overlong forms,
// surrogates and code points beyond U+10FFFF are invalid (RFC 3629).
size_t character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (bytes == 0 || byte(0) > 0xf4 || text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (byte(0) == 0xe0 && byte(1) < 0xa0) return 0;
  if (byte(0) == 0xed && byte(1) > 0x9f) return 0;
  if (byte(0) == 0xf0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xf4 && byte(1) > 0x8f) return 0;
  return bytes;
}

}  // namespace

std::string time_text(double seconds) {
  const auto digits = [](double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; };
  const double micro = seconds * 1e6, milli = seconds * 1e3;
  if (micro < 999.5) return fmt::format("{:.{}f} us", micro, digits(micro));
  if (milli < 999.5) return fmt::format("{:.{}f} ms", milli, digits(milli));
  return fmt::format("{:.{}f} s", seconds, digits(seconds));
}

std::string readable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const size_t length = character(bytes);
    const std::string_view one = bytes.substr(0, std::max<size_t>(length, 1));
    if (!length) text += "\xef\xbf\xbd";
    else if (length == 1) text += one_line(one);
    // U+0080 to U+009F: control characters too, which some terminals obey
    else if (length == 2 && one[0] == '\xc2' && static_cast<unsigned char>(one[1]) < 0xa0)
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(one[1]));
    else text += one;
    bytes.remove_prefix(one.size());
  }
  return text;
}

}  // namespace cutaway
