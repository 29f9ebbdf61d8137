#pragma once

#include <string>
#include <vector>

#include "report/levers.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Decides whether texture units are bound by their filters or by the latency of their reads, from the
// utilisation of the filters and the waits of thread groups in shader units. Empty: neither stands out.
std::vector<Finding> filter_evidence(RunReader& run, const RunReader::Scope& scope,
                                     const std::vector<RunReader::Counts>& counts);

// Compares the footprint of a scope's textures with the capacity of a texture cache, and relates it to the
// misses: lines of the caches of all texture units, for the work of the scope.
std::vector<Finding> footprint_evidence(RunReader& run, const RunReader::Scope& scope, uint64_t misses);

}  // namespace cutaway::report
