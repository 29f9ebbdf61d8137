#pragma once

#include <string>
#include <vector>

#include "report/explanation.h"

namespace cutaway::report {

// Occupancy of the wires of a frame, summed over wires between the same kinds of units with equal slots.
// Fullest first, by share of occupied slots.
std::vector<Explanation::Wires> wires_of(RunReader& run, uint64_t frame);
// The fullest ones, in lines for a terminal; empty if none was at least a quarter full.
std::string wires_text(const std::vector<Explanation::Wires>& all);

}  // namespace cutaway::report
