#include "base/installed.h"

namespace cutaway {

namespace fs = std::filesystem;

namespace {

fs::path folder_of_command() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

fs::path installed_file(const char* name) {
  std::error_code error;
  const fs::path folder = folder_of_command();
  for (const fs::path& place : {folder / "../share/cutaway", folder})
    if (fs::exists(place / name, error)) return place / name;
  return {};
}

fs::path installed_folder(const char* name, const char* file) {
  std::error_code error;
  fs::path folder = folder_of_command();
  const fs::path installed = folder / "../share/cutaway" / name;
  if (fs::exists(installed, error)) return installed;
  for (int up = 0; up < 6 && !folder.empty(); up++, folder = folder.parent_path())
    if (fs::exists(folder / name / file, error)) return folder / name;
  return {};
}

}  // namespace cutaway
