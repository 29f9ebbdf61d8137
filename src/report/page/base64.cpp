#include "report/page/base64.h"

#include <algorithm>
#include <cstdint>

namespace cutaway::report {

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t there = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; j++)
      bits = bits << 8 | (j < there ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; j++) text += j <= there ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace cutaway::report
