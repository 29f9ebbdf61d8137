#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cutaway::report {

// The pictures that commands wrote to an output folder, one name such as "frames/0001.png" per line of its
// file ".pictures": the next command replaces those, and no others.
class PictureList {
 public:
  static constexpr const char* kName = ".pictures";
  static constexpr const char* kFolders[] = {"frames", "primitives"};

  // Empty if there is no list. Skips lines that do not name such a picture.
  static PictureList read(const std::filesystem::path& output_folder);

  void add(const std::filesystem::path& name);  // ignores other names
  // Moves the pictures in a folder of kFolders to `taken`.
  void take_out(const std::string& folder, std::vector<std::filesystem::path>& taken);
  bool empty() const { return names_.empty(); }
  std::string text() const;

 private:
  std::set<std::string> names_;
};

}  // namespace cutaway::report
