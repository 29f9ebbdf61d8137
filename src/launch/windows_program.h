#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/progress.h"

namespace cutaway::launch {

// True for the name of a Windows program, which Wine runs: *.exe.
bool is_windows_program(const std::string& name);

// Parameters for running a Windows program with Wine: Direct3D 1 to 11 over OpenGL, Direct3D 12 over Vulkan.
struct WineStart {
  std::vector<std::string> command;                // Wine, the program, its arguments
  std::map<std::string, std::string> environment;  // added to this process's
};

// For a command that begins with a Windows program. Wine's folder is $WINEPREFIX if set, otherwise Cutaway's
// own in the user's cache folder. That is created when first needed, in some ten seconds, reported to
// `progress`. The user's settings for Wine are kept. UserError: the program cannot be read, or is not for
// 64-bit Windows on x86; Wine is not installed; its folder cannot be created.
WineStart wine_start(const std::vector<std::string>& command, report::Progress& progress);

}  // namespace cutaway::launch
