#pragma once

#include <string>
#include <vector>

namespace cutaway::launch {

// True for the name of a recording that a program replays: *.trace (apitrace), *.gfxr (gfxreconstruct).
bool is_recording(const std::string& name);

// Inserts the replayer before a command that begins with a recording; other commands are unchanged.
// UserError: the recording cannot be read, or its replayer is not installed.
std::vector<std::string> with_replayer(const std::vector<std::string>& command);

// Advice for a failed replay, as the end of a line; empty for other programs.
std::string replay_hint(const std::vector<std::string>& command);

}  // namespace cutaway::launch
