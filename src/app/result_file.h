#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/whole_file.h"

namespace cutaway::app {

// Tells whether the file at a path has been made, replaced or written since the stamp was taken.
class FileStamp {
 public:
  explicit FileStamp(std::filesystem::path path);
  // True if a file is there now that is not the one of then, or has changed. False if it is gone.
  bool is_outdated() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  struct State {
    uint64_t device = 0, number = 0;
    int64_t seconds = 0, nanoseconds = 0;  // of the last change
    bool operator==(const State&) const = default;
  };
  State now() const;

  std::filesystem::path path_;
  State state_;
};

// Says on standard error that this result is about to replace one that another command wrote meanwhile.
void tell_if_outdated(const FileStamp& stamp);

// A result that the user named (-o, --svg, --timeline). Two commands may write one file at a time: each is
// whole, and the last one stays and says so.
class ResultFile {
 public:
  // UserError: as WholeFile.
  explicit ResultFile(const std::filesystem::path& path) : stamp_(path), file_(path) {}

  void append(std::span<const std::byte> bytes) { file_.append(bytes); }
  void append(std::string_view text) { file_.append(text); }
  // Gives the file its place, and notes it as a result. UserError: it cannot get its name.
  void keep();
  const std::filesystem::path& path() const { return stamp_.path(); }

 private:
  FileStamp stamp_;
  WholeFile file_;
};

}  // namespace cutaway::app
