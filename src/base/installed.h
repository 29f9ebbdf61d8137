#pragma once

#include <filesystem>

namespace cutaway {

// A file or folder that comes with the command: installed in share/cutaway, or beside the command in the
// folder that it was built in; empty if it is in neither.
std::filesystem::path installed_file(const char* name);

}  // namespace cutaway
