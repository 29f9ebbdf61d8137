#pragma once

#include <string>

namespace cutaway::icd {

// Tells the command that started the program, through the pipe of CUTAWAY_PROGRESS_FD, a line: "frame N",
// "done", "error TEXT". False: nobody listens.
bool tell_command(std::string line);

}  // namespace cutaway::icd
