#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cutaway::report {

// The folder that a command writes its results into. All of them are made in a folder inside it that nobody
// looks at, and get their places when they are whole: a command that fails leaves nothing behind.
class OutputFolder {
 public:
  // Makes the folder where it is missing. UserError: it cannot be written.
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();  // not committed: what was made is removed
  OutputFolder(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Where a file is to be made, for example "frames/0001.png"; makes the folders above it.
  std::filesystem::path staged(const std::filesystem::path& name) const;
  void write(const std::filesystem::path& name, std::string_view text) const;

  // Moves everything to its place. Pictures of an earlier run (frames/*.png, primitives/*.png) are removed
  // first.
  void commit();
  // After commit(): where the pictures are, or why there are none. For the last lines of a command.
  std::string pictures() const;

 private:
  std::filesystem::path path_, staging_;
  std::filesystem::path made_;  // the topmost folder that did not exist before; empty: none
  bool committed_ = false, pictured_ = false;
};

}  // namespace cutaway::report
