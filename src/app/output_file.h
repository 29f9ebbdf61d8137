#pragma once

#include <optional>
#include <string>

#include "capture/file.h"

namespace cutaway::app {

// A file that takes its place when it is committed. what: it is named so in the error where something other
// than a file has that name.
void open_output(const std::string& path, const char* what, std::optional<capture::OutputFile>& file);

}  // namespace cutaway::app
