#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "base/error.h"

namespace cutaway {

// A folder for the files of this process's tests, which run beside other test processes. Removed at exit.
inline const std::filesystem::path& temporary_folder() {
  struct Folder {
    std::filesystem::path path;
    pid_t owner = getpid();
    Folder() {
      std::string name = std::filesystem::temp_directory_path() / "cutaway_test_XXXXXX";
      CUTAWAY_CHECK(mkdtemp(name.data()));
      path = name;
    }
    ~Folder() {
      if (getpid() != owner) return;
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace cutaway
