#pragma once

#include <cstdint>
#include <filesystem>

namespace cutaway::capture {

// Makes a capture of what a writer that did not come to close it left at `path` + ".part": its whole frames,
// in place. Gives their number; 0: there is none, or no such file, which is removed. UserError: it cannot be
// written; then it stays, with a frame at the least.
uint64_t recover(const std::filesystem::path& path);

}  // namespace cutaway::capture
