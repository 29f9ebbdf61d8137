#pragma once

#include <cstdlib>
#include <string_view>

namespace cutaway::func {

// True if a variable of the environment is set, and neither empty nor 0.
inline bool environment_flag(const char* name) {
  const char* value = std::getenv(name);
  return value && *value && std::string_view(value) != "0";
}

}  // namespace cutaway::func
