#pragma once

#include <string>
#include <string_view>

namespace cutaway::report {

// gzip, as a browser's DecompressionStream reads it.
std::string compressed(std::string_view bytes);

}  // namespace cutaway::report
