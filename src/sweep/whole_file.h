#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cutaway::sweep {

// Writes a file so that it is there whole, and on the disk, or not at all. UserError: disk full, not
// writable.
void write_whole(const std::filesystem::path& path, std::string_view text);
// Empty where it cannot be read.
std::string read_whole(const std::filesystem::path& path);

}  // namespace cutaway::sweep
