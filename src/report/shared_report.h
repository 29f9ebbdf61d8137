#pragma once

#include <string>

#include "run_record/shared_figures.h"

namespace cutaway::report {

// The text of shared.json (docs/contexts.md).
std::string shared_json(const run_record::SharedFigures& run);

// Figures of a run of several programs in lines for a terminal: each frame together and alone, what bounds
// each program, waits, lost programs, switches, and the cycles by the kind of work.
std::string shared_text(const run_record::SharedFigures& run);

// The largest part of a program's time, which bounds it: "other programs, for which it waits 88 % of its
// time". Empty: no time has passed.
std::string bound_text(const run_record::SharedFigures::Program& program);

}  // namespace cutaway::report
