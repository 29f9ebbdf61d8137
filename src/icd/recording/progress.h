#pragma once

#include <string>

namespace cutaway::icd {

// Sends a line to the command that started the program, through the pipe of CUTAWAY_PROGRESS_FD or, if the
// process no longer has it, of CUTAWAY_PROGRESS_PIPE. Returns false if there is no reader. The lines:
//   frame N      frame N has ended; if it is to be kept, it is in the file
//   done         the capture is closed
//   error TEXT   what the driver had to refuse, instead of a line on standard error
//   lost TEXT    the device that was recorded is lost: the recording has ended
//   failed TEXT  the capture cannot be written: the recording has ended
bool tell_command(std::string line);

}  // namespace cutaway::icd
