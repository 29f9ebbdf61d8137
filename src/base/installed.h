#pragma once

#include <filesystem>

namespace cutaway {

// A file or folder that comes with the command: installed in share/cutaway, or beside the command in the
// folder that it was built in; empty if it is in neither.
std::filesystem::path installed_file(const char* name);

// A folder of files that come with the command: installed in share/cutaway, or the nearest beside or above
// the command, as sources have it, in which `file` is; empty if there is none.
std::filesystem::path installed_folder(const char* name, const char* file);

}  // namespace cutaway
