#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cutaway {

// A folder for half-made files, PREFIXXXXXXXXXXXXX with twelve random letters, which nobody else may enter.
// Its owner holds it locked, and a process's lock ends with it, however it ends: so the next owner of the
// prefix can tell which folders are abandoned, and removes those.
class WorkFolder {
 public:
  // Creates one in `parent`. UserError: refused by the file system; `advice` ends its message.
  WorkFolder(const std::filesystem::path& parent, const std::string& prefix, const std::string& advice);
  ~WorkFolder();  // removes it with everything in it
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { keep_ = true; }  // leaves the folder behind; the next owner of the prefix removes it

 private:
  std::filesystem::path path_;
  int lock_ = -1;
  bool keep_ = false;
};

}  // namespace cutaway
