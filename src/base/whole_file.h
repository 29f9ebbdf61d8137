#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace cutaway {

// A file that is written under a temporary name beside its own, and gets its own name when it is whole. Every
// file that is written as a whole is written by this class. The temporary file is always a new one, so that
// no link is followed and no other file is touched. Its name is PATH.XXXXXXXX.part with random letters:
// writers of one path do not share it, and the last that commits wins. Appended data is in the file even if
// the process ends. A writer locks its temporary file; the next commit of the path removes those that killed
// writers left.
class WholeFile {
 public:
  // UserError: it cannot be created, or a folder, device, pipe or socket has its name.
  explicit WholeFile(std::filesystem::path path);
  // Continues the temporary file of a writer that has ended. It stays if it is not committed.
  WholeFile(std::filesystem::path path, std::filesystem::path temporary);
  ~WholeFile();  // without commit(), removes a new file
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void append(std::span<const std::byte> bytes);  // UserError: disk full
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  void truncate(uint64_t size);  // back to an earlier size
  uint64_t size() const { return size_; }
  // Renames the temporary file after another path. UserError: it cannot be created there.
  void move_to(std::filesystem::path path);
  void sync();    // to the disk. UserError: disk full
  void commit();  // UserError: it cannot get its name
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& temporary() const { return temporary_; }

  // True for the name of a temporary file of `path`.
  static bool is_temporary(const std::filesystem::path& name, const std::filesystem::path& path);

 private:
  [[noreturn]] void unwritable(int error) const;

  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  bool remove_ = true;
  uint64_t size_ = 0;
};

// Writes a text as a whole file, and to the disk. UserErrors as above.
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace cutaway
