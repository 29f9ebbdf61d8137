#include "capture/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zstd.h>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway::capture {

OutputFile::OutputFile(std::filesystem::path path, Open open)
    : path_(std::move(path)), partial_(path_), remove_(open == Open::kNew) {
  partial_ += ".part";
  const int how = open == Open::kNew ? O_CREAT | O_TRUNC : 0;
  descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
  if (descriptor_ < 0)
    user_error("{}: cannot be created ({}): name a file in a folder that can be written", partial_.string(),
               std::strerror(errno));
  size_ = static_cast<uint64_t>(std::max<off_t>(::lseek(descriptor_, 0, SEEK_END), 0));
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  std::error_code ignored;
  if (remove_) std::filesystem::remove(partial_, ignored);
}

void OutputFile::unwritable(int error) const {
  user_error("{}: cannot be written ({}): make room on the disk", partial_.string(), std::strerror(error));
}

void OutputFile::append(std::span<const std::byte> bytes) {
  CUTAWAY_CHECK(descriptor_ >= 0);
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unwritable(errno);
    rest = rest.subspan(static_cast<size_t>(count));
  }
  size_ += bytes.size();
}

void OutputFile::truncate(uint64_t size) {
  const auto to = static_cast<off_t>(size);
  if (::ftruncate(descriptor_, to) != 0 || ::lseek(descriptor_, to, SEEK_SET) != to) unwritable(errno);
  size_ = size;
}

void OutputFile::move_to(std::filesystem::path path) {
  CUTAWAY_CHECK(descriptor_ >= 0);
  std::filesystem::path partial = path;
  partial += ".part";
  std::error_code error;
  std::filesystem::rename(partial_, partial, error);
  if (error) user_error("{}: cannot be created ({})", partial.string(), error.message());
  path_ = std::move(path), partial_ = std::move(partial);
}

void OutputFile::commit() {
  CUTAWAY_CHECK(descriptor_ >= 0);
  std::error_code error;
  std::filesystem::rename(partial_, path_, error);
  if (error) user_error("{}: cannot be created ({})", path_.string(), error.message());
  ::close(std::exchange(descriptor_, -1));
}

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not block on a pipe
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    user_error("{}: cannot be opened ({}): name a capture that `cutaway capture` wrote", path_.string(),
               std::strerror(error));
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    user_error("{}: not a file: name a capture that `cutaway capture` wrote", path_.string());
  }
  size_ = static_cast<uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(uint64_t offset, void* out, size_t bytes) const {
  if (offset > size_ || bytes > size_ - offset) cut_off(path_);
  auto* to = static_cast<char*>(out);
  while (bytes) {
    const ssize_t got = ::pread(descriptor_, to, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) user_error("{}: cannot be read ({})", path_.string(), std::strerror(errno));
    if (got == 0) cut_off(path_);
    to += got, offset += static_cast<uint64_t>(got), bytes -= static_cast<size_t>(got);
  }
}

uint64_t checksum_of(const void* structure, size_t bytes) { return hash_bytes(structure, bytes); }

std::vector<std::byte> seal_chunk(ChunkHeader& header, std::span<const std::byte> raw, int level) {
  CUTAWAY_CHECK(raw.size() <= kMaxChunkBytes);
  std::vector<std::byte> stored(ZSTD_compressBound(raw.size()));
  const size_t bytes = ZSTD_compress(stored.data(), stored.size(), raw.data(), raw.size(), level);
  CUTAWAY_CHECK(!ZSTD_isError(bytes), "zstd: {}", ZSTD_getErrorName(bytes));
  stored.resize(bytes);
  header.raw_bytes = static_cast<uint32_t>(raw.size());
  header.stored_bytes = static_cast<uint32_t>(bytes);
  header.data_checksum = hash_bytes(stored);
  seal(header);
  return stored;
}

uint64_t append_chunk(OutputFile& file, ChunkHeader header, std::span<const std::byte> raw, int level) {
  const std::vector<std::byte> stored = seal_chunk(header, raw, level);
  file.append(std::as_bytes(std::span(&header, 1)));
  file.append(stored);
  return sizeof header + stored.size();
}

ChunkHeader read_chunk_header(const InputFile& file, uint64_t offset) {
  const auto header = file.read_as<ChunkHeader>(offset);
  if (header.magic != kChunkMagic || !sealed(header)) altered(file.path(), offset, "chunk header");
  if (header.raw_bytes > kMaxChunkBytes || header.stored_bytes > ZSTD_compressBound(kMaxChunkBytes))
    altered(file.path(), offset, "chunk size");
  if (header.stored_bytes > file.size() - offset - sizeof header) cut_off(file.path());
  return header;
}

void read_stored(const InputFile& file, uint64_t offset, const ChunkHeader& header,
                 std::vector<std::byte>& stored) {
  stored.resize(header.stored_bytes);
  file.read(offset + sizeof header, stored.data(), stored.size());
  if (hash_bytes(stored) != header.data_checksum) altered(file.path(), offset, "chunk");
}

void read_chunk(const InputFile& file, uint64_t offset, const ChunkHeader& header,
                std::vector<std::byte>& stored, std::vector<std::byte>& raw) {
  read_stored(file, offset, header, stored);
  raw.resize(header.raw_bytes);
  // A single call for a whole frame lets zstd decode straight into `raw` without allocating a window.
  const size_t bytes = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
  if (ZSTD_isError(bytes) || bytes != raw.size()) altered(file.path(), offset, "compressed data");
}

void cut_off(const std::filesystem::path& path) {
  user_error("{}: the capture is cut off: copy it again or record it again", path.string());
}

void altered(const std::filesystem::path& path, uint64_t offset, const char* what) {
  user_error("{}: the capture is damaged ({} at byte {}): copy it again or record it again", path.string(),
             what, offset);
}

}  // namespace cutaway::capture
