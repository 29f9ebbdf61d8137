#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/levers.h"
#include "report/run_reader.h"
#include "report/unit_evidence.h"

namespace cutaway::report {

// How units of a kind spent their cycles in a scope: working, and waiting for which others. None: they
// counted no cycles.
std::optional<Finding> account_evidence(const std::string& kind, const EvidenceSource& from);

// How full the groups of fragments are that the work distributor gives to shader units, and how long one that
// is not full waits for more quads. None: it gave none.
std::optional<Finding> group_evidence(const EvidenceSource& from);

// What a scope consists of while no unit works: submissions and packets.
std::optional<Finding> idle_evidence(const EvidenceSource& from);

}  // namespace cutaway::report
