#include "base/csv.h"

#include <charconv>

#include "base/text.h"

namespace cutaway {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Spreadsheets take the full-width forms for the same signs.
bool begins_a_formula(std::string_view text) {
  for (const std::string_view sign :
       {"=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"})
    if (text.starts_with(sign)) return true;
  return false;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell = valid_utf8(text);
  const bool formula = begins_a_formula(cell) && !is_number(cell);
  if (formula) cell.insert(0, "'");
  // Some spreadsheets separate cells by semicolons or tabs.
  if (!formula && cell.find_first_of(",;\t\"\r\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace cutaway
