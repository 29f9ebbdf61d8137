#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::sweep {

// Runs points of a queue one after the other, and leaves the outcome of each there: a result, or the reason
// for a failure. Passes over a point that has an outcome. Points of one frame that follow one another share
// the emulation of that frame, and the emulator goes on from there to frames shortly behind it. UserError:
// the queue cannot be used, or the disk is full. engine: name of the engine that started the worker.
void run_points(const std::filesystem::path& queue, const std::vector<std::string>& hashes,
                const std::string& engine);

}  // namespace cutaway::sweep
