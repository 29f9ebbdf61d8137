#pragma once

#include <string>
#include <vector>

#include "report/explanation.h"

namespace cutaway::report {

// How full the wires of a frame were: those between units of the same kinds, of as many slots, together. The
// fullest first, by the share of their slots that was taken.
std::vector<Explanation::Wires> wires_of(RunReader& run, uint64_t frame);
// The first of them, in lines for a terminal; empty: none was full to a quarter.
std::string wires_text(const std::vector<Explanation::Wires>& all);

}  // namespace cutaway::report
