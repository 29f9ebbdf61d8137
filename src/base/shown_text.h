#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// one_line() (base/text.h) that keeps some control characters: for a cell of CSV its tabs and line breaks.
std::string without_controls(std::string_view text, std::string_view keep);

// Text of JSON in which characters from U+007F on that steer a terminal are escapes (\u009b): the same JSON.
std::string escape_controls_in_json(std::string json);

}  // namespace cutaway
