#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cutaway::sweep {

// Writes a file atomically, and to the disk. UserError: disk full, not writable.
void write_whole(const std::filesystem::path& path, std::string_view text);
// Empty if the file cannot be read.
std::string read_whole(const std::filesystem::path& path);

}  // namespace cutaway::sweep
