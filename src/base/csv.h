#pragma once

#include <string>
#include <string_view>

namespace cutaway {

// A text as a cell of CSV (RFC 4180), valid UTF-8. A text that a spreadsheet would run as a formula (it
// begins with =, +, -, @, a tab or a line break, and is no number) begins with an apostrophe. Numbers stay as
// they are.
std::string csv_cell(std::string_view text);

}  // namespace cutaway
