#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/commands.h"
#include "machine/config.h"
#include "report/progress.h"

namespace cutaway::app {

// What came of capturing a program.
struct CapturedProgram {
  std::optional<FrameRange> frames;  // that the capture holds; none: there is no capture
  bool presented = true;             // false: frame 1 is all of a program that presents nothing
  bool stopped = false;              // the program did not end by itself, nor with the last frame asked for
  int code = kOk;
  std::string problem;  // a line, where code is not kOk: what happened, and which frames are kept
  double seconds = 0;

  std::string frames_text() const;  // "frames 2..4"
};

// Captures frames of a program into `file`, which messages call `shown`. What `gpu` lacks the program is not
// offered; none: it is offered everything. However the program ends, the frames that were whole by then are
// kept. UserErrors: the file cannot be written; the program cannot be started.
CapturedProgram capture_to(const std::filesystem::path& file, const std::string& shown,
                           const CommandArguments& arguments, const FrameRange& frames,
                           const machine::Config* gpu, report::Progress& progress);

}  // namespace cutaway::app
