#pragma once

#include <cstdint>
#include <string>

namespace cutaway::app {

// "1.4 MB", "812 bytes".
std::string bytes_text(uint64_t bytes);

// A parameter's value, or for a list too long for a cell, the number of its names.
std::string short_value(const std::string& value);

// The lines of a text, broken at spaces so that none is longer than `columns`, unless a word is.
// Continuations are indented as their line is, and by two more.
std::string wrapped(const std::string& text, size_t columns);

}  // namespace cutaway::app
