#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// A text, or its first bytes, "..." and its last ones if it has more. Characters of UTF-8 stay whole.
inline std::string shortened(std::string_view text, size_t first_bytes, size_t last_bytes = 0) {
  if (text.size() <= first_bytes + last_bytes) return std::string(text);
  const auto continues = [&](size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  while (first_bytes > 0 && continues(first_bytes)) first_bytes--;
  size_t last = text.size() - last_bytes;
  while (continues(last)) last++;
  return std::string(text.substr(0, first_bytes)) + "..." + std::string(text.substr(last));
}

}  // namespace cutaway
