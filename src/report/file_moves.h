#pragma once

#include <filesystem>
#include <utility>
#include <vector>

namespace cutaway::report {

// Moves several files as a transaction: all, or none. Creates missing folders.
class FileMoves {
 public:
  FileMoves() = default;
  ~FileMoves();  // without keep(), moves everything back
  FileMoves(const FileMoves&) = delete;

  // UserErrors: the file system refuses, or a folder has the name of a target file.
  void move_if_there(const std::filesystem::path& from, const std::filesystem::path& to);
  // Moves an existing `file` to `aside`, then `with` to `file`.
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
