#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/regular_file.h"
#include "base/whole_file.h"
#include "capture/format.h"

namespace cutaway::capture {

// A file for random reads. Reading beyond its end is a UserError that says that the capture is cut off.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);

  void read(uint64_t offset, void* out, size_t bytes) const;
  template <class T>
  T read_as(uint64_t offset) const {
    T value;
    read(offset, static_cast<void*>(&value), sizeof value);
    return value;
  }
  uint64_t size() const { return file_.size(); }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  RegularFile file_;
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
uint64_t append_chunk(WholeFile& file, ChunkHeader header, std::span<const std::byte> raw, int level);

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
