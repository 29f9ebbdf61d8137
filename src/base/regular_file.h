#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace cutaway {

// A regular file, open for reading. Every file of others is opened by this class: a pipe, socket or device
// that has its name is refused, and opening never waits for another process.
class RegularFile {
 public:
  // UserError: it cannot be opened, or is not a regular file. advice: ends the message, "name a TOML file".
  RegularFile(const std::filesystem::path& path, const std::string& advice);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  uint64_t size() const { return size_; }  // bytes, when it was opened
  // Bytes from `offset` on; returns how many there were, fewer at the end. UserError: the disk fails.
  size_t read(uint64_t offset, void* out, size_t bytes) const;
  // Its whole contents. UserError: more than `most_bytes`.
  std::string text(uint64_t most_bytes) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

// The contents of a regular file; empty if it cannot be read or is larger.
std::string read_whole(const std::filesystem::path& path, uint64_t most_bytes = 1 << 30);

// "a folder", "a pipe", "a device", "a socket"; empty for a regular file and for nothing.
std::string other_kind_of_file(const std::filesystem::path& path);

}  // namespace cutaway
