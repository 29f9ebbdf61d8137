#include "sweep/program.h"

#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "sweep/child.h"

namespace cutaway::sweep {

std::string last_line(const std::string& text) {
  const size_t end = text.find_last_not_of(" \n\r\t");
  if (end == text.npos) return "";
  const size_t begin = text.rfind('\n', end);
  return one_line(std::string_view(text).substr(begin == text.npos ? 0 : begin + 1, end - begin));
}

std::string ProgramOutput::last_error() const { return last_line(errors); }

ProgramOutput run_program(const std::vector<std::string>& command, const std::string& advice) {
  std::optional<Child> child;
  try {
    child.emplace(command);
  } catch (const UserError& error) { user_error("{}; {}", error.what(), advice); }
  const int code = child->wait();
  return {code, child->output(), child->errors()};
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace cutaway::sweep
