#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "probe/outcome.h"

namespace cutaway::app {

// The program that draws the experiments and the rates: beside the command, or as installed by `cmake
// --install`.
std::filesystem::path probe_program();

// Measures core clock cycles and bytes that memory reads, by name, on the sweep engine: captures and
// simulates everything not yet in this folder. Returns false if some failed, which has been reported.
bool simulate_drawn(const std::vector<std::string>& names, const CommandArguments& arguments,
                    const std::filesystem::path& out, probe::Times& times, probe::Times& bytes_read);

}  // namespace cutaway::app
