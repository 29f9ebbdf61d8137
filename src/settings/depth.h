#pragma once

#include <string>
#include <string_view>

namespace cutaway::settings {

// Deepest nesting of tables and lists in a TOML file: every list, inline table and dot of a key is a level.
constexpr size_t kDeepest = 100;

// UserError with file and line: the text of a TOML file is nested deeper. The parser and everything that
// reads its tables are recursive, so this is looked at first. file: for the message.
void check_depth(std::string_view text, const std::string& file);

}  // namespace cutaway::settings
