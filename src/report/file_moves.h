#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace cutaway::report {

// Files that move together: all, or none. Folders that are missing are made.
class FileMoves {
 public:
  FileMoves() = default;
  ~FileMoves();  // without keep(): everything is moved back
  FileMoves(const FileMoves&) = delete;

  // UserErrors: the file system refuses, or a folder stands where a file is to go.
  void move_if_there(const std::filesystem::path& from, const std::filesystem::path& to);
  // `with` takes the place of `file`; what is there goes to `aside` first.
  void replace(const std::filesystem::path& file, const std::filesystem::path& with,
               const std::filesystem::path& aside);
  void keep() { kept_ = true; }

 private:
  void move(const std::filesystem::path& from, const std::filesystem::path& to);
  void make_folder(const std::filesystem::path& folder);

  bool kept_ = false;
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moved_;
  std::vector<std::filesystem::path> made_;  // folders
};

}  // namespace cutaway::report
