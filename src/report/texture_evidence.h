#pragma once

#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// Whether texture units are held back by their filters or by the latency of what they read, from how busy the
// filters are and from what the thread groups of shader units wait for. Nothing: neither stands out.
std::vector<std::string> filter_evidence(RunReader& run, const RunReader::Scope& scope,
                                         const std::vector<RunReader::Counts>& counts);

// How large the footprint of a scope's textures is, against what a texture cache holds, and what that means
// for its misses: lines of the caches of all texture units, of the work of the scope.
std::vector<std::string> footprint_evidence(RunReader& run, const RunReader::Scope& scope, uint64_t misses);

}  // namespace cutaway::report
