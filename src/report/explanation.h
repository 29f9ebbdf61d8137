#pragma once

#include <string>
#include <vector>

#include "report/run_file.h"
#include "report/run_reader.h"

namespace cutaway::report {

// What held a frame, a pass or a draw back.
struct Explanation {
  // Units of one kind together, in the field's words: "texture filtering".
  struct Cause {
    std::string kind;  // of units: "texture"
    std::string words;
    double share = 0;                   // of the cycles
    std::vector<std::string> evidence;  // sentences with figures
  };
  struct Wait {
    std::string who, whom;  // in the field's words
    double share = 0;       // of the cycles of those who wait
  };
  // Wires between units of the same kinds together, by the ports' names.
  struct Wires {
    std::string from, to;  // "streamer.vertices_out", "primitive_assembly.vertices_in"
    unsigned count = 0;    // that carried something
    uint64_t slots = 0;    // of each
    double filling = 0;    // mean number of messages under way or waiting in one
    uint64_t peak = 0;     // the most slots taken at once, of the one where that is most
  };
  std::string title;
  uint64_t cycles = 0;
  double share_of_frame = 1;
  std::string phases;         // of a whole frame: what its cycles were for
  std::vector<Cause> causes;  // the largest first; the shares sum to 1
  std::vector<Wait> waits;    // the largest first
  std::vector<Wires> wires;   // of a whole frame: the fullest first, by filling of slots
};

// disassemble: tells the SPIR-V of instructions; may be empty. UserError: the scope has no work, or no
// intervals.
Explanation explain(RunReader& run, const RunReader::Scope& scope, const Disassembler& disassemble = {});

// "draw 41 of submission 7 (work 52), 'shadow pass'"
std::string title_of(const RunReader::Work& work);
// "texture filtering 43 %, memory 20 %, ...", the largest that together are most of it.
std::string causes_text(const Explanation& explanation);
// The whole of it, in lines for a terminal.
std::string explanation_text(const Explanation& explanation);

}  // namespace cutaway::report
