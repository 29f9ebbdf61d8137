#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_folder.h"

namespace cutaway::report {

// The folder for a command's results. Files are made in a hidden folder inside it and moved to their places
// when they are complete, so a failing command leaves nothing behind. The next command for the same folder
// removes the leftovers of a killed process.
class OutputFolder {
 public:
  // Creates a missing folder. UserError: it cannot be written.
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();  // without commit(), removes everything that was made
  OutputFolder(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // The temporary path for a file, for example "frames/0001.png"; creates the folders above it.
  std::filesystem::path staged(const std::filesystem::path& name) const;
  void write(const std::filesystem::path& name, std::string_view text) const;

  // Moves one file to its final place now: it and its folder stay, whatever happens to the other files.
  void place(const std::filesystem::path& name);
  // Moves everything to its final place, or nothing: UserError. In the folders of pictures (frames,
  // primitives), removes the pictures of an earlier command, which ".pictures" lists.
  void commit();
  // After commit(): the place of the pictures, or the reason that there are none. For a command's last lines.
  std::string pictures() const;

 private:
  void leave();

  std::filesystem::path path_;
  std::optional<WorkFolder> staging_;        // holds new/ (files made) and old/ (files that they replace)
  std::vector<std::filesystem::path> made_;  // folders that did not exist before, topmost first
  bool committed_ = false, pictured_ = false;
};

// A file of the folder that is written piece by piece.
class StagedFile {
 public:
  StagedFile(const OutputFolder& folder, const std::filesystem::path& name);
  void append(std::string_view text);  // UserError: the disk is full
  void close();                        // the same

 private:
  void check() const;
  std::filesystem::path place_;  // for errors: the final one
  std::ofstream file_;
};

}  // namespace cutaway::report
