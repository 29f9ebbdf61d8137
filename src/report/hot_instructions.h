#pragma once

#include <string>
#include <vector>

#include "report/levers.h"
#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// Describes the waits of thread groups at the instructions of a scope: sentences that name the reasons, and
// the instructions with the longest waits, with the SPIR-V that they come from. instructions: as
// RunReader::instructions() gives them. kind: of the shader units. stage: of the programs, one of
// run_record::kProgramStages. Empty if no group waited.
std::vector<Finding> hot_instructions(RunReader& run, std::vector<RunReader::Instruction> instructions,
                                      const std::string& kind, const std::string& stage,
                                      const Disassembler& disassemble);

}  // namespace cutaway::report
