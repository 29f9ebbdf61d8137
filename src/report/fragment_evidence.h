#pragma once

#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// Sentences on the fragments of the passes that lie whole in a scope of work: overdraw, if a pass shades 1.5
// or more fragments for each pixel of the tiles that it touches, with the draws that shade most; and lanes of
// fragment groups that stand for no fragment (helper lanes), if they are a quarter or more.
std::vector<std::string> fragment_remarks(RunReader& run, const RunReader::Scope& scope);

}  // namespace cutaway::report
