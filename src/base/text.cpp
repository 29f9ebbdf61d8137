#include "base/text.h"

#include <algorithm>
#include <charconv>

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

// Calls visit(character, valid) for each character, and for each byte that belongs to none.
template <class Visit>
void for_each_character(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const size_t length = character(text);
    const std::string_view one = text.substr(0, std::max<size_t>(length, 1));
    visit(one, length != 0);
    text.remove_prefix(one.size());
  }
}

constexpr const char* kReplacement = "\xef\xbf\xbd";  // U+FFFD

// The code point of a valid character of at most three bytes; larger ones are never escaped.
uint32_t code_point(std::string_view one) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(one[i]); };
  if (one.size() == 1) return byte(0);
  if (one.size() == 2) return (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
  if (one.size() == 3) return (byte(0) & 0xfu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
  return 0x10000;
}

// True if a terminal may do something else than show the character: control characters, the separators of
// lines and paragraphs, and the marks of Unicode's bidirectional algorithm.
bool steers(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0x200e ||
         point == 0x200f || (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

std::string shown(std::string_view text, bool keep_newlines) {
  std::string line;
  for_each_character(text, [&](std::string_view one, bool valid) {
    const uint32_t point = valid ? code_point(one) : 0;
    if (!valid) line += kReplacement;
    else if (!steers(point) || (keep_newlines && point == '\n')) line += one;
    else if (point == '\n') line += "\\n";
    else line += point < 0x100 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
  });
  return line;
}

}  // namespace

std::string time_text(double seconds) {
  const auto digits = [](double value) { return value < 9.995 ? 2 : value < 99.95 ? 1 : 0; };
  const double micro = seconds * 1e6, milli = seconds * 1e3;
  if (micro < 999.5) return fmt::format("{:.{}f} us", micro, digits(micro));
  if (milli < 999.5) return fmt::format("{:.{}f} ms", milli, digits(milli));
  return fmt::format("{:.{}f} s", seconds, digits(seconds));
}

std::string one_line(std::string_view text) { return shown(text, false); }

std::string lines_of(std::string_view text) { return shown(text, true); }

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  for_each_character(bytes, [&](std::string_view one, bool valid) { text += valid ? one : kReplacement; });
  return text;
}

std::string escape_bytes(std::string_view bytes) {
  std::string text;
  for_each_character(bytes, [&](std::string_view one, bool valid) {
    if (valid && one != "%") text += one;
    else text += fmt::format("%{:02X}", static_cast<unsigned char>(one[0]));
  });
  return text;
}

std::string unescape_bytes(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); i++) {
    unsigned byte = 0;
    const char* const end = text.data() + std::min(i + 3, text.size());
    if (text[i] == '%' && std::from_chars(text.data() + i + 1, end, byte, 16).ptr == text.data() + i + 3)
      bytes += static_cast<char>(byte), i += 2;
    else bytes += text[i];
  }
  return bytes;
}

}  // namespace cutaway
