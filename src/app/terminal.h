#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/text.h"

// Everything that the command prints goes through here. Texts from outside (paths, labels, names, metadata)
// cannot steer the terminal: as arguments they become one line without control characters.
//
// Standard output that cannot be written (closed, full, or nobody reads it) never stops a command: results
// are worth more than the table. The first error is remembered, and main() ends with it.
namespace cutaway::app {

namespace terminal_detail {

template <class T>
constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;

template <class T>
auto shown(const T& value) {
  if constexpr (std::is_same_v<T, std::filesystem::path>) return one_line(value.string());
  else if constexpr (kIsText<T>) return one_line(std::string_view(value));
  else {
    static_assert(std::is_arithmetic_v<T>, "format other values into a text first");
    return T{value};
  }
}

template <class T>
using Shown = decltype(shown(std::declval<const T&>()));

void write_output(std::string_view text);
void write_error(std::string_view text);

}  // namespace terminal_detail

// Prints to standard output, as fmt::print does. The format's own newlines stay.
template <class... Args>
void tell(fmt::format_string<terminal_detail::Shown<Args>...> format, const Args&... args) {
  terminal_detail::write_output(fmt::vformat(format, fmt::make_format_args(terminal_detail::shown(args)...)));
}

// Prints a text of several lines, such as a table, to standard output. The texts from outside in it must be
// lines already (one_line()).
void tell_lines(std::string_view text);

// The same; a terminal gets lines that are not wider than it is.
void tell_wrapped(std::string_view text);

// Prints bytes as they are, for a program to read.
void tell_exactly(std::string_view bytes);

// Prints to standard error; its errors are ignored.
template <class... Args>
void tell_error(fmt::format_string<terminal_detail::Shown<Args>...> format, const Args&... args) {
  terminal_detail::write_error(fmt::vformat(format, fmt::make_format_args(terminal_detail::shown(args)...)));
}

void tell_error_lines(std::string_view text);  // a text of several lines

// Notes that a result has its place (a file or a folder), to name it if the command then fails.
void note_result(const std::filesystem::path& place);

// The results noted so far: "out and capture.cutaway"; empty: none.
std::string noted_results();

// The error number of the first failure of standard output, or 0.
int failed_output();

}  // namespace cutaway::app
