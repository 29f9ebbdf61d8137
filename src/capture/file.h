#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "capture/format.h"

namespace cutaway::capture {

// A file that is written under a temporary name, `path` + ".part", and gets its own name when it is complete.
// Appended data is in the file even if the process ends.
class OutputFile {
 public:
  enum class Open { kNew, kPartial };  // kPartial: continues an existing temporary file

  explicit OutputFile(std::filesystem::path path, Open open = Open::kNew);  // UserError: cannot be created
  ~OutputFile();  // without commit, removes a new file
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::span<const std::byte> bytes);  // UserError: disk full
  void truncate(uint64_t size);                   // back to an earlier size
  uint64_t size() const { return size_; }
  void move_to(std::filesystem::path path);  // renames the temporary file too. UserError: cannot be created
  void commit();
  const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void unwritable(int error) const;

  std::filesystem::path path_, partial_;
  int descriptor_ = -1;
  bool remove_ = true;
  uint64_t size_ = 0;
};

// A file for random reads. Reading beyond its end is a UserError that says that the capture is cut off.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  void read(uint64_t offset, void* out, size_t bytes) const;
  template <class T>
  T read_as(uint64_t offset) const {
    T value;
    read(offset, static_cast<void*>(&value), sizeof value);
    return value;
  }
  uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

// Sets and tests the checksum in the last 8 bytes of a FileHeader, FileTrailer or ChunkHeader.
uint64_t checksum_of(const void* structure, size_t bytes);
template <class T>
void seal(T& structure) {
  structure.checksum = checksum_of(&structure, sizeof(T) - sizeof(structure.checksum));
}
template <class T>
bool sealed(const T& structure) {
  return structure.checksum == checksum_of(&structure, sizeof(T) - sizeof(structure.checksum));
}

// Compresses `raw` and completes `header`. Returns the stored bytes that follow the header.
std::vector<std::byte> seal_chunk(ChunkHeader& header, std::span<const std::byte> raw, int level);

// Seals a chunk and appends it to the file. Returns the number of bytes appended.
uint64_t append_chunk(OutputFile& file, ChunkHeader header, std::span<const std::byte> raw, int level);

// Reads the header at an offset and checks magic, checksum, and sizes against their limits and the file.
ChunkHeader read_chunk_header(const InputFile& file, uint64_t offset);

// Reads the stored bytes of a chunk into `stored` and checks their checksum; then decompresses them into
// `raw`.
void read_stored(const InputFile& file, uint64_t offset, const ChunkHeader& header,
                 std::vector<std::byte>& stored);
void read_chunk(const InputFile& file, uint64_t offset, const ChunkHeader& header,
                std::vector<std::byte>& stored, std::vector<std::byte>& raw);

// One error function per way in which a capture can be unusable.
[[noreturn]] void cut_off(const std::filesystem::path& path);
[[noreturn]] void altered(const std::filesystem::path& path, uint64_t offset, const char* what);

}  // namespace cutaway::capture
