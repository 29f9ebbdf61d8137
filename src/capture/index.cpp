#include "capture/index.h"

#include <cstring>

#include "arch/memory.h"
#include "base/error.h"

namespace cutaway::capture {

void Index::keep_frames(size_t count) {
  frames.resize(count), frame_ends.resize(count);
  end = count ? frame_ends.back() : 0;
  while (!pages.empty() && pages.back().offset >= end) pages.pop_back();
  while (!annotations.empty() && annotations.back() >= end) annotations.pop_back();
}

bool IndexBuilder::add(uint64_t offset, const ChunkHeader& header) {
  index_.end = offset + sizeof(ChunkHeader) + header.stored_bytes;
  switch (static_cast<ChunkKind>(header.kind)) {
    case ChunkKind::kMetadata:
      return true;
    case ChunkKind::kAnnotations:
      index_.annotations.push_back(offset);
      return true;
    case ChunkKind::kPages:
      return add_pages(offset, header);
    case ChunkKind::kKeyFrame:
      return add_key_frame(offset, header);
    case ChunkKind::kEvents:
      return add_events(offset, header);
    default:
      return false;
  }
}

bool IndexBuilder::add_pages(uint64_t offset, const ChunkHeader& header) {
  if (header.frame == 0 || header.raw_bytes == 0 || header.raw_bytes % arch::kPageBytes ||
      header.raw_bytes > kMaxPageChunkBytes)
    return false;
  const uint64_t first = index_.pages.empty() ? 0 : index_.pages.back().end;
  index_.pages.push_back({offset, first + header.raw_bytes / arch::kPageBytes});
  (header.flags & kOfKeyFrame ? open_.key_stored_bytes : open_.stored_bytes) += header.stored_bytes;
  return true;
}

bool IndexBuilder::add_key_frame(uint64_t offset, const ChunkHeader& header) {
  if (header.frame == 0 || open_.events_offset) return false;
  if (!key_open_) {
    if (open_.key_offset) return false;  // a frame has at most one
    key_frame_ = header.frame, open_.key_offset = offset;
  }
  if (key_frame_ != header.frame) return false;
  key_open_ = !(header.flags & kLastOfFrame);
  open_.key_raw_bytes += header.raw_bytes + header.page_bytes;
  open_.key_stored_bytes += header.stored_bytes;
  open_.page_bytes += header.page_bytes;
  return true;
}

bool IndexBuilder::add_events(uint64_t offset, const ChunkHeader& header) {
  if (header.frame == 0 || key_open_) return false;
  if (!open_.events_offset) {
    const uint64_t expected =
        index_.frames.empty() ? header.frame : index_.first_frame + index_.frames.size();
    if (header.frame != expected || (open_.key_offset && key_frame_ != header.frame)) return false;
    if (index_.frames.empty()) index_.first_frame = header.frame;
    frame_ = header.frame;
    open_.events_offset = offset;
    // A capture can begin only with empty memory or with a key frame.
    if (index_.frames.empty() && frame_ != 1 && !open_.key_offset) return false;
  }
  if (header.frame != frame_) return false;
  open_.submissions += header.submissions;
  open_.raw_bytes += header.raw_bytes + header.page_bytes;
  open_.stored_bytes += header.stored_bytes;
  open_.page_bytes += header.page_bytes;
  if (header.flags & kLastOfFrame) {
    index_.frames.push_back(open_);
    index_.frame_ends.push_back(index_.end);
    open_ = {};
  }
  return true;
}

namespace {

template <class T>
void put(std::vector<std::byte>& to, const T* values, size_t count) {
  const auto* from = reinterpret_cast<const std::byte*>(values);
  to.insert(to.end(), from, from + count * sizeof(T));
}

// Returns false if fewer remain.
template <class T>
bool take(std::span<const std::byte>& from, std::vector<T>& to, uint64_t count) {
  if (count > from.size() / sizeof(T)) return false;
  to.resize(count);
  if (count) std::memcpy(static_cast<void*>(to.data()), from.data(), count * sizeof(T));
  from = from.subspan(count * sizeof(T));
  return true;
}

}  // namespace

std::vector<std::byte> encode(const Index& index) {
  const IndexHeader header{index.first_frame, index.frames.size(), index.pages.size(),
                           index.annotations.size()};
  std::vector<std::byte> bytes;
  put(bytes, &header, 1);
  put(bytes, index.frames.data(), index.frames.size());
  put(bytes, index.pages.data(), index.pages.size());
  put(bytes, index.annotations.data(), index.annotations.size());
  return bytes;
}

bool decode(std::span<const std::byte> bytes, Index& index) {
  IndexHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  bytes = bytes.subspan(sizeof header);
  index.first_frame = header.first_frame;
  if (!take(bytes, index.frames, header.frames) || !take(bytes, index.pages, header.page_chunks) ||
      !take(bytes, index.annotations, header.annotation_chunks) || !bytes.empty())
    return false;
  uint64_t end = 0;
  for (const PageChunkEntry& chunk : index.pages) {
    if (chunk.end <= end || chunk.end - end > kMaxPageChunkBytes / arch::kPageBytes) return false;
    end = chunk.end;
  }
  return true;
}

void append_index(WholeFile& file, const Index& index, int level) {
  FileTrailer trailer;
  trailer.index_offset = file.size();
  ChunkHeader header;
  header.kind = static_cast<uint32_t>(ChunkKind::kIndex);
  append_chunk(file, header, encode(index), level);
  trailer.file_bytes = file.size() + sizeof trailer;
  seal(trailer);
  file.append(std::as_bytes(std::span(&trailer, 1)));
}

size_t close_whole_frames(WholeFile& file, Index index, int level) {
  CUTAWAY_CHECK(!index.frames.empty());
  for (size_t frames = index.frames.size();; frames--) {
    index.keep_frames(frames);
    file.truncate(index.end);
    try {
      append_index(file, index, level);
      break;
    } catch (const UserError&) {
      if (frames == 1) throw;
    }
  }
  file.commit();
  return index.frames.size();
}

}  // namespace cutaway::capture
