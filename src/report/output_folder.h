#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::report {

// The folder that a command writes its results into. All of them are made in a folder inside it that nobody
// looks at, and get their places when they are whole: a command that fails leaves nothing behind. What a
// process that was killed has left there, the next command for the same folder removes.
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

  // Moves one file to its place now: it stays there, in a folder that stays, whatever happens to the others.
  void place(const std::filesystem::path& name);
  // Moves everything to its place, or nothing: UserError. In the folders of pictures (frames, primitives)
  // those that an earlier command wrote give way; ".pictures" lists them.
  void commit();
  // After commit(): where the pictures are, or why there are none. For the last lines of a command.
  std::string pictures() const;

 private:
  void stage();
  void leave();

  std::filesystem::path path_;
  std::filesystem::path staging_;            // holds new/, what was made, and old/, what gives way to it
  int lock_ = -1;                            // on staging_: its owner lives
  std::vector<std::filesystem::path> made_;  // folders that did not exist before, the topmost first
  bool committed_ = false, pictured_ = false;
};

}  // namespace cutaway::report
