#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/frames.h"

namespace cutaway::app {

// Runs a program on Cutaway's driver and captures what reaches the GPU.
struct CaptureRequest {
  std::vector<std::string> command;  // program and arguments
  std::string file;                  // the capture to write
  FrameRange frames;
  uint64_t key_interval = 0;                     // frames from key frame to key frame; 0: only the first
  std::function<void(uint64_t frame)> on_frame;  // a frame was presented
};

struct CaptureOutcome {
  bool complete = false;            // the last frame asked for was presented; the program was then ended
  uint64_t frames = 0;              // presented
  std::vector<std::string> errors;  // what the driver refused, each in a line
  int exit_status = 0;              // of the program, when it ended by itself: as a shell tells it
  double seconds = 0;
};

// Sets up the driver, Zink for OpenGL, and an X server without a screen (Xvfb) where there is no display. The
// program runs in a process group of its own, which is ended when the last frame has been presented.
// UserError: the program cannot be started, the driver or Xvfb is missing.
CaptureOutcome capture_program(const CaptureRequest& request);

// The driver's manifest: beside the command (build tree) or where `cmake --install` puts it. UserError if
// neither.
std::string driver_manifest();

}  // namespace cutaway::app
