#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace cutaway::capture {

// Turns the temporary file of a writer of `path` that did not close it into a capture of its whole frames,
// which gets the name `path`. Returns their number; 0 if there is none; a file without frames is removed.
// UserError: the file cannot be written; then it stays, with at least one frame.
uint64_t recover(const std::filesystem::path& temporary, const std::filesystem::path& path);

// The temporary files of writers of `path`, the one that was written to last first.
std::vector<std::filesystem::path> temporary_files(const std::filesystem::path& path);

}  // namespace cutaway::capture
