#include "capture/file.h"

#include <zstd.h>

#include "base/error.h"
#include "base/hash.h"

namespace cutaway::capture {

InputFile::InputFile(const std::filesystem::path& path)
    : file_(path, "name a capture that `cutaway capture` wrote") {}

void InputFile::read(uint64_t offset, void* out, size_t bytes) const {
  if (offset > size() || bytes > size() - offset || file_.read(offset, out, bytes) < bytes) cut_off(path());
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

uint64_t append_chunk(WholeFile& file, ChunkHeader header, std::span<const std::byte> raw, int level) {
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
