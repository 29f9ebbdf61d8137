#pragma once

#include <filesystem>
#include <string>

namespace cutaway::sweep {

// Runs one point of a queue and leaves its outcome there: a result, or why there can be none. Does nothing
// where another worker has done so. UserError: the queue cannot be used, or the disk is full.
// engine: who started it.
void run_point(const std::filesystem::path& queue, const std::string& hash, const std::string& engine);

}  // namespace cutaway::sweep
