#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/explanation.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Removes the values that no legal machine has from what the evidence of a run's explanation suggests.
using KeepLegal = std::function<void(RunReader& run, Explanation& explanation)>;

// Experiments that the evidence of the told causes expects to save time, as `cutaway explain --try` takes
// them: "memory.channels=16"; each parameter once.
std::vector<std::string> what_ifs(const Explanation& explanation);

// The command of a try, ready for a shell.
std::string what_if_command(const std::string& run, uint64_t frame, const std::string& one);

}  // namespace cutaway::report
