#pragma once

#include <string>
#include <vector>

#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Describes the waits of thread groups in the programs of a scope: sentences that name the reasons, and the
// instructions with the longest waits, with the SPIR-V that they come from. stage: of the programs, one of
// run_record::kProgramStages. Empty if no group waited.
std::vector<std::string> hot_instructions(RunReader& run, const RunReader::Scope& scope,
                                          const std::string& stage, const Disassembler& disassemble);

}  // namespace cutaway::report
