#pragma once

#include <string>
#include <vector>

namespace cutaway::sweep {

// What a program said, and how it ended.
struct ProgramOutput {
  int code = 0;  // exit code; 128 + signal where one ended it
  std::string output, errors;
  std::string last_error() const;  // last line of errors that says something
};

// Runs a program to its end; its standard input is empty. It ends with this process. UserError: it cannot be
// started; `advice` says what to do where it is not installed.
ProgramOutput run_program(const std::vector<std::string>& command, const std::string& advice);

// Its last line that says something.
std::string last_line(const std::string& text);

// The text as a shell takes it for one word.
std::string shell_word(const std::string& text);

}  // namespace cutaway::sweep
