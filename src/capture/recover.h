#pragma once

#include <cstdint>
#include <filesystem>

namespace cutaway::capture {

// Turns the file `path` + ".part" of a writer that did not close it into a capture of its whole frames, in
// place. Returns their number; 0 if there is none or no such file; a file without frames is removed.
// UserError: the file cannot be written; then it stays, with at least one frame.
uint64_t recover(const std::filesystem::path& path);

}  // namespace cutaway::capture
