#pragma once

#include <filesystem>
#include <string>

#include "app/commands.h"
#include "report/progress.h"

namespace cutaway::app {

struct CapturedProgram {
  int exit_status = 0;      // of a program that failed before the frames were there
  std::string failure;      // then: a line that says so
  std::string frames_text;  // "frames 2..4"
  double seconds = 0;
};

// Captures the frames of a program (default: frame 1), and holds the outcome to what was asked for: the
// frames were presented, or the program presents nothing and all of it is frame 1. UserErrors: the file
// cannot be written; the program gives the GPU no work, or ends before the last frame asked for.
CapturedProgram capture_to(const std::filesystem::path& file, const CommandArguments& arguments,
                           report::Progress& progress);

}  // namespace cutaway::app
