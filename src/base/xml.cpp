#include "base/xml.h"

#include "base/text.h"

namespace cutaway {
namespace {

// Replaces what XML 1.0 forbids beside control characters of one byte (U+FFFE, U+FFFF), and the others that a
// terminal obeys (U+0080 to U+009F).
void replace_larger(std::string& text) {
  for (size_t i = 0; i < text.size(); i++) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf")) text[i + 2] = '\xbd';
    else if (rest.starts_with('\xc2') && static_cast<unsigned char>(rest[1]) < 0xa0) text.replace(i, 2, " ");
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string valid = valid_utf8(text), escaped;
  replace_larger(valid);
  for (const char c : valid) {
    if (c == '<') escaped += "&lt;";
    else if (c == '>') escaped += "&gt;";
    else if (c == '&') escaped += "&amp;";
    else if (c == '"') escaped += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) escaped += ' ';
    else escaped += c;
  }
  return escaped;
}

}  // namespace cutaway
