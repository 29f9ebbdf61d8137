#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// A text, or its start and "..." if it has more than `most_bytes`. Characters of UTF-8 stay whole.
inline std::string shortened(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xc0) == 0x80) most_bytes--;
  return std::string(text.substr(0, most_bytes)) + "...";
}

}  // namespace cutaway
