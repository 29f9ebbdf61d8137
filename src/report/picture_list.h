#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cutaway::report {

// The pictures in an output folder that commands wrote, a name such as "frames/0001.png" on each line of its
// file ".pictures": the next command replaces those, and no others.
class PictureList {
 public:
  static constexpr const char* kName = ".pictures";
  static constexpr const char* kFolders[] = {"frames", "primitives"};

  // Empty where there is none. Lines that name no such picture are passed over.
  static PictureList read(const std::filesystem::path& output_folder);

  void add(const std::filesystem::path& name);  // if it is such a picture
  // Moves those in a folder of kFolders to `taken`.
  void take_out(const std::string& folder, std::vector<std::filesystem::path>& taken);
  bool empty() const { return names_.empty(); }
  std::string text() const;

 private:
  std::set<std::string> names_;
};

}  // namespace cutaway::report
