#pragma once

#include <optional>
#include <string>

#include "report/run_reader.h"

namespace cutaway::report {

// A sentence on the program's small draws in a scope of work, if many of them take a large part of its
// cycles.
std::optional<std::string> small_draws_remark(RunReader& run, const RunReader::Scope& scope, uint64_t cycles);

}  // namespace cutaway::report
