#pragma once

#include <cstdint>
#include <string>

namespace cutaway::app {

// "1.4 MB", "812 bytes".
std::string bytes_text(uint64_t bytes);

// A parameter's value; of a list of names that is longer than a cell should be, how many they are.
std::string short_value(const std::string& value);

}  // namespace cutaway::app
