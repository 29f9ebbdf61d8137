#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/declaration.h"
#include "report/explanation.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Experiments on what held a frame up, as `cutaway explain --try` takes them: "memory.channels=16". Each
// doubles what makes the units of one of the largest causes faster: their number, or what they do in a cycle.
// declarations: of the run's parameters; a try out of a declared range is left out.
std::vector<std::string> what_ifs(RunReader& run, std::span<const Explanation::Cause> causes,
                                  std::span<const Declaration> declarations);

// The command of a try, ready for a shell.
std::string what_if_command(const std::string& run, uint64_t frame, const std::string& one);

}  // namespace cutaway::report
