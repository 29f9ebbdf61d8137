#include "launch/program_messages.h"

#include <algorithm>
#include <cstdlib>

namespace cutaway::launch {
namespace {

// Calls visit(line) for each complete line of `rest` plus the added text; keeps the remainder.
template <class Visit>
void take_lines(std::string& rest, std::string_view text, Visit&& visit) {
  rest += text;
  size_t begin = 0;
  for (size_t end; (end = rest.find('\n', begin)) != rest.npos; begin = end + 1)
    visit(std::string_view(rest).substr(begin, end - begin));
  rest.erase(0, begin);
}

bool explains(std::string_view line) {
  constexpr std::string_view kSpeakers[] = {
      "cutaway:", "MESA",     "Mesa:",           "ZINK",   "zink", "libGL",
      "libEGL",   "ERROR: [", "[Vulkan Loader]", "vulkan:"};
  if (line.starts_with("ERROR:") && line.find("loader_validate_") != line.npos)
    return true;  // Vulkan's loader
  return line.find("warning") == line.npos && line.find("WARNING") == line.npos &&
         std::any_of(std::begin(kSpeakers), std::end(kSpeakers),
                     [&](std::string_view speaker) { return line.starts_with(speaker); });
}

}  // namespace

void DriverLines::take(std::string_view text) {
  take_lines(rest_, text, [&](std::string_view line) {
    const size_t space = line.find(' ');
    const std::string_view kind = line.substr(0, space);
    const std::string told(space == line.npos ? "" : line.substr(space + 1));
    if (kind == "done") done = true;
    else if (kind == "frame") frames = std::strtoull(told.c_str(), nullptr, 10);
    else if (kind == "error") errors.push_back(told);
    else if (kind == "lost") lost = told;
    else if (kind == "failed") failed = told;
  });
}

void ErrorOutput::take(std::string_view text) {
  constexpr size_t kLongest = 1 << 16;  // of a line
  take_lines(rest_, text, [&](std::string_view line) {
    if (explains(line)) explanation_ = line;
  });
  if (rest_.size() > kLongest) rest_.clear();
}

}  // namespace cutaway::launch
