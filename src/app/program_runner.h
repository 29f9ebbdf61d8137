#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/process.h"
#include "app/program_messages.h"
#include "base/frames.h"

namespace cutaway::app {

// Runs a program on Cutaway's driver and captures what reaches the GPU.
struct CaptureRequest {
  std::vector<std::string> command;                // program and arguments
  std::map<std::string, std::string> environment;  // added to ours
  std::string file;                                // the capture to write; unclosed it is called FILE.part
  FrameRange frames;
  // What the driver does not offer, and formats that it does (app/chip_offer.h); empty: it offers everything.
  std::string without, formats;
  bool halves = false;        // fragment programs are compiled for a chip with registers of halves
  uint64_t key_interval = 0;  // frames from key frame to key frame; 0: only the first

  // Several times a second, with the number of frames that have ended.
  std::function<void(uint64_t frames)> on_wait;
  // What the program writes to standard error, as it comes.
  std::function<void(std::string_view)> on_error_text;
};

struct CaptureOutcome {
  enum class Why {
    kComplete,     // the last frame asked for was presented; the program was then ended
    kEnded,        // the program ended by itself: `end`
    kLost,         // the device was lost (driver.lost); the program was then ended
    kUnwritable,   // the capture cannot be written (driver.failed); the program was then ended
    kInterrupted,  // base/interrupt.h; the program was then ended
  };
  Why why = Why::kEnded;
  ProgramEnd end;
  DriverLines driver;
  std::string explanation;  // of the driver, Mesa or the loader, on standard error; or empty
  double seconds = 0;
};

// Sets up the driver, Zink for OpenGL, and an X server without a screen (Xvfb) where there is no display.
// When it returns, the program and everything that it started has ended. UserError: the program cannot be
// started, the driver or Xvfb is missing.
CaptureOutcome capture_program(const CaptureRequest& request);

// The driver's manifest: beside the command (build tree) or where `cmake --install` puts
// it. UserError if neither.
std::string driver_manifest();

}  // namespace cutaway::app
