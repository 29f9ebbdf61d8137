#pragma once

#include <string>
#include <vector>

namespace cutaway::app {

// Whether a name is that of a recording that a program replays: *.trace (apitrace), *.gfxr (gfxreconstruct).
bool is_recording(const std::string& name);

// A command that begins with a recording instead of a program, with its replayer before it; any other command
// as it is. UserError: the recording cannot be read, or its replayer is not installed.
std::vector<std::string> with_replayer(const std::vector<std::string>& command);

// What to think of when a replay fails, as the end of a line; empty for other programs.
std::string replay_hint(const std::vector<std::string>& command);

}  // namespace cutaway::app
