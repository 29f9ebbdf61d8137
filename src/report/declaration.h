#pragma once

#include <string>

namespace cutaway::report {

// A parameter as the sources declare it. range: "1 to 64", or in other words.
struct Declaration {
  std::string path, unit, range, meaning;
};

}  // namespace cutaway::report
