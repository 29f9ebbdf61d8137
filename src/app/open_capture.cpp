#include "app/open_capture.h"

#include <filesystem>

#include "base/error.h"

namespace cutaway::app {

capture::Reader open_capture(const std::string& path, bool check) {
  constexpr uint64_t kAtOnce = 256u << 20;  // bytes
  std::error_code error;
  const bool small = std::filesystem::file_size(path, error) < kAtOnce && !error;
  return capture::Reader(path, {.check = check || small, .recover = path.ends_with(".part")});
}

FrameRange frames_of(const capture::Reader& reader, const std::string& path,
                     const std::optional<FrameRange>& asked) {
  const FrameRange held{reader.info().first_frame(), reader.info().last_frame()};
  if (!asked) return held;
  FrameRange range = *asked;
  if (range.last == FrameRange::kLast) range.last = held.last;
  if (range.first < held.first || range.last > held.last || range.last < range.first)
    user_error("--frames {}: {} holds frame{} {}; ask for those, or record others", asked->text(), path,
               held.first == held.last ? "" : "s", held.text());
  return range;
}

}  // namespace cutaway::app
