#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/frames.h"
#include "launch/process.h"
#include "launch/program_messages.h"

namespace cutaway::launch {

// Runs a program on Cutaway's driver and captures its commands to the GPU.
struct CaptureRequest {
  std::vector<std::string> command;                // program and arguments
  std::map<std::string, std::string> environment;  // added to this process's
  std::string file;                                // the capture to write; while open, a base/whole_file.h
  FrameRange frames;
  // Features that the driver does not offer, and formats, sizes of images and limits of programs that it does
  // (app/chip_offer.h); empty: it offers everything.
  std::string without, formats, images, programs;
  std::string loads;          // how loads are ordered (CUTAWAY_LOADS); empty: as programs have them
  bool host_times = false;    // records the program's times (CUTAWAY_HOST_TIMES)
  bool gl_thread = false;     // OpenGL runs on a thread of Mesa's, not on the program's
  std::string memory;         // types of memory (CUTAWAY_MEMORY); empty: one type, of video memory
  bool halves = false;        // compile fragment programs for a chip with half registers
  bool fog = false;           // the same for a chip with a fog unit
  uint64_t key_interval = 0;  // frames between key frames; 0: only the first

  // Called several times a second, with the number of ended frames.
  std::function<void(uint64_t frames)> on_wait;
  // Called with the program's standard error as it arrives.
  std::function<void(std::string_view)> on_error_text;
};

struct CaptureOutcome {
  enum class Why {
    kComplete,     // the last requested frame was presented; the program was then ended
    kEnded,        // the program ended by itself: `end`
    kLost,         // the device was lost (driver.lost); the program was then ended
    kUnwritable,   // the capture cannot be written (driver.failed); the program was then ended
    kInterrupted,  // base/interrupt.h; the program was then ended
  };
  Why why = Why::kEnded;
  ProgramEnd end;
  DriverLines driver;
  std::string explanation;  // by the driver, Mesa or the loader, on standard error; may be empty
  double seconds = 0;
};

// Sets up the driver, Zink for OpenGL, and an X server without a screen (Xvfb) if there is no display. On
// return, the program and everything that it started has ended. UserError: the program cannot be started, or
// the driver or Xvfb is missing.
CaptureOutcome capture_program(const CaptureRequest& request);

// Path of the driver's manifest: beside the command (build tree) or as installed by `cmake --install`.
// UserError if neither exists.
std::string driver_manifest();

}  // namespace cutaway::launch
