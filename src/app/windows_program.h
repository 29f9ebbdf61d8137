#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/progress.h"

namespace cutaway::app {

// Whether a name is that of a program for Windows, which Wine runs: *.exe.
bool is_windows_program(const std::string& name);

// How Wine runs a program for Windows: Direct3D 1 to 11 over OpenGL, Direct3D 12 over Vulkan.
struct WineStart {
  std::vector<std::string> command;                // Wine, the program, its arguments
  std::map<std::string, std::string> environment;  // added to ours
};

// Of a command that begins with a program for Windows. Wine's folder is $WINEPREFIX if that is set, else one
// of Cutaway's own in the user's cache folder, which is made when it is first needed: some ten seconds, of
// which `progress` tells. What the user has set for Wine stays. UserError: the program cannot be read, or is
// none for 64-bit Windows on x86; Wine is not installed; its folder cannot be made.
WineStart wine_start(const std::vector<std::string>& command, report::Progress& progress);

}  // namespace cutaway::app
