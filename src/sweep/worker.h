#pragma once

#include <filesystem>
#include <string>

namespace cutaway::sweep {

// Runs one point of a queue and leaves its outcome there: a result, or the reason for a failure. Does nothing
// if another worker has done so. UserError: the queue cannot be used, or the disk is full. engine: name of
// the engine that started the worker.
void run_point(const std::filesystem::path& queue, const std::string& hash, const std::string& engine);

}  // namespace cutaway::sweep
