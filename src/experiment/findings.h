#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cutaway::experiment {

// Summarises the bottlenecks of a machine, from the statistics of its frames, in sentences with figures:
//
//   "held up by texture 47 %, fragment shading 33 %, memory 12 %"
//   "memory: 38 % of its 64 bytes a cycle were moved; by texture0 31 %, ..."
//   "shader units: busy 41 % of their cycles, 0.39 instructions a cycle each; starved 38 %, mostly for ..."
//
// records: run.sqlite files (docs/run-database.md) of one machine. Shares are over all frames together.
// UserErrors of the reader.
std::vector<std::string> findings(const std::vector<std::filesystem::path>& records);

}  // namespace cutaway::experiment
