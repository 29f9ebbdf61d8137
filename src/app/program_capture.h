#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/commands.h"
#include "machine/config.h"
#include "report/progress.h"

namespace cutaway::app {

// The result of capturing a program.
struct CapturedProgram {
  std::optional<FrameRange> frames;  // frames in the capture; none: there is no capture
  bool presented = true;             // false: the program presents nothing, and frame 1 is all of it
  bool stopped = false;              // the program ended neither by itself nor with the last requested frame
  int code = kOk;
  std::string problem;  // one line, if code is not kOk: the failure, and the frames that are kept
  double seconds = 0;

  std::string frames_text() const;  // "frames 2..4"
};

// Captures frames of a program to `file`, which messages call `shown`. Features that `gpu` lacks are not
// offered to the program; none: everything is offered. However the program ends, its whole frames are kept.
// UserErrors: the file cannot be written; the program cannot be started.
CapturedProgram capture_to(const std::filesystem::path& file, const std::string& shown,
                           const CommandArguments& arguments, const FrameRange& frames,
                           const machine::Config* gpu, report::Progress& progress);

}  // namespace cutaway::app
