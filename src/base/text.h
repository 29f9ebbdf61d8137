#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace cutaway {

// A count and its noun, in the plural where it is not one: "1 frame", "3 frames".
inline std::string counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace cutaway
