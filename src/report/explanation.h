#pragma once

#include <string>
#include <vector>

#include "report/levers.h"
#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// The causes that held a frame, a pass or a draw back.
struct Explanation {
  // All units of one kind; of shader units, their programs of one stage.
  struct Cause {
    std::string kind;               // of units: "texture"
    std::string stage;              // of run_record::kProgramStages; "" if the units run no programs
    std::string words;              // of the unit: "color write" (report/unit_words.h)
    double share = 0;               // of the cycles
    std::vector<Finding> evidence;  // sentences with figures
  };
  struct Wait {
    std::string who, whom;  // in the field's words
    double share = 0;       // of the cycles of the waiting units
  };
  // All wires between the same kinds of units, by the ports' names.
  struct Wires {
    std::string from, to;  // "streamer.vertices_out", "primitive_assembly.vertices_in"
    unsigned count = 0;    // wires that carried something
    uint64_t slots = 0;    // per wire
    double filling = 0;    // mean number of messages in flight or waiting per wire
    uint64_t peak = 0;     // the most occupied slots at once, on the wire with the highest peak
  };
  static constexpr double kTold = 0.05;  // least share of a cause whose evidence is told

  std::string title;
  uint64_t cycles = 0;
  double seconds = 0;  // that the cycles take at the machine's core clock
  double share_of_frame = 1;
  std::string whole = "frame";       // what the shares are of: a run of several programs has one
  std::string phases;                // of a whole frame: how its cycles were spent
  std::vector<Cause> causes;         // largest first; the shares sum to 1
  std::vector<std::string> remarks;  // on its draws and fragments
  std::vector<Wait> waits;           // largest first
  std::vector<Wires> wires;          // of a whole frame: fullest first, by occupancy of slots
};

// disassemble: disassembles the SPIR-V of instructions; may be empty. UserError: the scope has no work, or no
// intervals.
Explanation explain(RunReader& run, const RunReader::Scope& scope, const Disassembler& disassemble = {});

// Its causes alone, with the evidence only of shares that move from shader units to the streamer.
std::vector<Explanation::Cause> causes_of(RunReader& run, const RunReader::Scope& scope);

// "program 2, cat_phong"; "" for a run of one program.
std::string name_of_program(RunReader& run, uint32_t context);
// "draw 41 of submission 7 (work 52), 'shadow pass'"
std::string title_of(const RunReader::Work& work);
// "texture 43 %, memory 20 %, ...": the largest causes that together make up most.
std::string causes_text(const std::vector<Explanation::Cause>& causes);
// The whole explanation, in lines for a terminal. command: explains this scope again; with it each sentence
// of evidence offers what to try. "": nothing is offered.
std::string explanation_text(const Explanation& explanation, const std::string& command = "");

}  // namespace cutaway::report
