#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// `text` as character data or as a quoted attribute of XML and HTML: markup characters become entities, and
// control characters, which XML 1.0 forbids, become spaces, and bytes that are not UTF-8 U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace cutaway
