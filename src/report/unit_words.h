#pragma once

#include <string>

namespace cutaway::report {

// The name of the units of a kind in sentences, which is the one that tables, databases and `--set` have:
// "color write" of "color_write". Three differ: the memory controller is "memory", as its parameters are; a
// shader unit is told by the stage of the program that it ran, "fragment shading" (`stage`, of
// run_record::kProgramStages;
// "" if it is unknown or none); and "geometry shading unit" is no such stage. The kind "" becomes "nothing
// under way".
std::string words_of(const std::string& kind, const std::string& stage = "");

}  // namespace cutaway::report
