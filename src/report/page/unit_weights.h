#pragma once

#include <nlohmann/json.hpp>

#include "report/machine_parts.h"
#include "report/page/frame_data.h"

namespace cutaway::report {

// Units by cost, as in the table of `cutaway simulate`: rows of path, shares busy, starved, blocked, idle and
// holding up, and waits. counters: columns of a frame's counts; each index is one of `counted`.
nlohmann::json unit_weights(const MachineParts& parts, const CountedColumns& counted,
                            const nlohmann::json& counters);

}  // namespace cutaway::report
