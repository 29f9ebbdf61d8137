#pragma once

#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace cutaway {

// The user's input cannot be used: a bad argument, file, configuration or program. The text is one line that
// says where, what was expected and what to do. The command prints it and exits with 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void user_error(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

// A broken promise inside Cutaway itself. Never caught and ignored: the command reports it and exits with 3.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void internal_error(const char* file, int line, const char* condition,
                                 const std::string& detail);

}  // namespace cutaway

// Checked in every build. Only for conditions that a defect of Cutaway alone can break, never for input.
#define CUTAWAY_CHECK(condition, ...)                                                           \
  do {                                                                                          \
    if (!(condition)) [[unlikely]]                                                              \
      ::cutaway::internal_error(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (0)
