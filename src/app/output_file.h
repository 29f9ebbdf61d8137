#pragma once

#include <optional>
#include <string>

#include "capture/file.h"

namespace cutaway::app {

// Opens a file that gets its name when it is committed. what: a noun for the error if something other than a
// file has that name.
void open_output(const std::string& path, const char* what, std::optional<capture::OutputFile>& file);

}  // namespace cutaway::app
