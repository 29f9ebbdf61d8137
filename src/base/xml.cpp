#include "base/xml.h"

#include "base/text.h"

namespace cutaway {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : valid_utf8(text)) {
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
