#pragma once

#include <string>

namespace cutaway::icd {

// Tells the command that started the program a line, through the pipe of CUTAWAY_PROGRESS_FD or, where a
// process has that no more, of CUTAWAY_PROGRESS_PIPE. False: nobody listens. The lines:
//   frame N      frame N has ended; if it is to be kept, it is in the file
//   done         the capture is closed
//   error TEXT   what the driver had to refuse, instead of a line on standard error
//   lost TEXT    the device that was recorded is lost: the recording has ended
//   failed TEXT  the capture cannot be written: the recording has ended
bool tell_command(std::string line);

}  // namespace cutaway::icd
