#include "base/installed.h"

namespace cutaway {

namespace fs = std::filesystem;

fs::path installed_file(const char* name) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / "../share/cutaway", folder})
    if (fs::exists(place / name, error)) return place / name;
  return {};
}

}  // namespace cutaway
