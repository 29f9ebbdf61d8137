#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands.h"
#include "probe/outcome.h"

namespace cutaway::app {

// The program that draws the experiments and the rates: beside the command, or where `cmake --install` puts
// it.
std::filesystem::path probe_program();

// Cycles of the core clock of what is drawn, by name, on the engine of sweeps: captured and simulated where
// that has not been done into this folder. False: some failed, which has been told.
bool simulate_drawn(const std::vector<std::string>& names, const CommandArguments& arguments,
                    const std::filesystem::path& out, probe::Times& times);

}  // namespace cutaway::app
