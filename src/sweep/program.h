#pragma once

#include <string>
#include <vector>

namespace cutaway::sweep {

// A program's output and exit code.
struct ProgramOutput {
  int code = 0;  // exit code, or 128 + the signal that ended it
  std::string output, errors;
  std::string last_error() const;  // last non-empty line of errors
};

// Runs a program to its end, with empty standard input. It ends with this process. UserError: it cannot be
// started; `advice` says what to do if it is not installed.
ProgramOutput run_program(const std::vector<std::string>& command, const std::string& advice);

// The last non-empty line.
std::string last_line(const std::string& text);

// Quotes a text as one word for a shell.
std::string shell_word(const std::string& text);

}  // namespace cutaway::sweep
