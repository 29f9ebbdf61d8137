#pragma once

#include <filesystem>

namespace cutaway {

// Path of a file or folder that ships with the command: installed in share/cutaway, or beside the command in
// its build folder; empty if it is in neither.
std::filesystem::path installed_file(const char* name);

// Path of a folder of files that ships with the command: installed in share/cutaway, or in a source tree the
// nearest folder beside or above the command that contains `file`; empty if there is none.
std::filesystem::path installed_folder(const char* name, const char* file);

}  // namespace cutaway
