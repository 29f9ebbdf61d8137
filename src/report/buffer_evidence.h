#pragma once

#include <optional>
#include <string>

#include "report/levers.h"
#include "report/unit_evidence.h"

namespace cutaway::report {

// The buffers with names that units of a kind access for a scope: the streamer's of indices and vertices,
// those of a stage's programs, all of the memory's. None: no such buffer has a name.
std::optional<Finding> buffer_evidence(const std::string& kind, const std::string& stage,
                                       const EvidenceSource& from);

}  // namespace cutaway::report
