#pragma once

#include <filesystem>

namespace cutaway {

// Removes the temporary files (base/whole_file.h) of a path whose writers were killed: those of this user
// that no process has locked. A commit of the path does so, too.
void remove_abandoned_files(const std::filesystem::path& path);

}  // namespace cutaway
