#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "report/run_reader.h"

namespace cutaway::report {

// Returns the share of each cause that held a frame up, by the words of `cutaway explain`.
std::map<std::string, double> causes_of_frame(RunReader& run, uint64_t frame);

// Adds to the database of a finished run the causes of each frame, and returns them, by frame.
std::map<uint64_t, std::map<std::string, double>> add_frame_causes(const std::filesystem::path& database);

}  // namespace cutaway::report
