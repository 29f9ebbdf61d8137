#pragma once

#include <string>
#include <vector>

#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Where the thread groups of the work of a scope waited in their programs: sentences that name for what, and
// the instructions at which they waited most, with the SPIR-V that those come from. vertex, others:
// programs of which stages are looked at. Nothing where no group waited.
std::vector<std::string> hot_instructions(RunReader& run, const RunReader::Scope& scope, bool vertex,
                                          bool others, const Disassembler& disassemble);

}  // namespace cutaway::report
