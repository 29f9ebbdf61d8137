#pragma once

#include <cstdint>
#include <string>

namespace cutaway::app {

// "1.4 MB", "812 bytes".
std::string bytes_text(uint64_t bytes);

}  // namespace cutaway::app
