#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/frames.h"
#include "report/progress.h"

namespace cutaway::app {

struct CapturedProgram {
  int exit_status = 0;      // of a program that failed before the frames were there
  std::string failure;      // then: a line that says so
  std::string frames_text;  // "frames 2..4"
  double seconds = 0;
};

// Captures the frames of a program, and holds the outcome to what was asked for: the frames were presented,
// or the program presents nothing and all of it is frame 1. UserErrors: the file cannot be written; the
// program gives the GPU no work, or ends before the last frame asked for.
CapturedProgram capture_to(const std::filesystem::path& file, const std::vector<std::string>& program,
                           const FrameRange& frames, report::Progress& progress);

}  // namespace cutaway::app
