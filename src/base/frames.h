#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway {

// A range of frames as users write it: "3", "2..4", "5.." (to the last). Frames count from 1.
struct FrameRange {
  static constexpr uint64_t kLast = ~0ull;
  uint64_t first = 1, last = kLast;
  bool operator==(const FrameRange&) const = default;
  std::string text() const;
};

// where: beginning of the error text; what: the noun of the range. UserError.
FrameRange parse_frames(std::string_view text, std::string_view where = "--frames",
                        std::string_view what = "frame");

}  // namespace cutaway
