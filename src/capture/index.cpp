#include "capture/index.h"

#include <cstring>

namespace cutaway::capture {

bool IndexBuilder::add(uint64_t offset, const ChunkHeader& header) {
  index_.end = offset + sizeof(ChunkHeader) + header.stored_bytes;
  const bool last = header.flags & kLastOfFrame;
  switch (static_cast<ChunkKind>(header.kind)) {
    case ChunkKind::kMetadata:
      return true;
    case ChunkKind::kAnnotations:
      index_.annotations.push_back(offset);
      return true;
    case ChunkKind::kKeyFrame:
      if (header.frame == 0 || open_.events_offset) return false;
      if (!key_open_) key_frame_ = header.frame, key_offset_ = offset;
      if (key_frame_ != header.frame) return false;
      key_open_ = !last;
      return true;
    case ChunkKind::kEvents:
      break;
    default:
      return false;
  }
  if (header.frame == 0 || key_open_) return false;
  if (!open_.events_offset) {
    const uint64_t expected =
        index_.frames.empty() ? header.frame : index_.first_frame + index_.frames.size();
    if (header.frame != expected) return false;
    if (index_.frames.empty()) index_.first_frame = header.frame;
    frame_ = header.frame;
    open_.events_offset = offset;
    if (key_frame_ == frame_) open_.key_offset = key_offset_;
    // Only from empty memory or from a key frame can a capture begin.
    if (index_.frames.empty() && frame_ != 1 && !open_.key_offset) return false;
  }
  if (header.frame != frame_) return false;
  open_.submissions += header.submissions;
  open_.raw_bytes += header.raw_bytes;
  open_.stored_bytes += header.stored_bytes;
  if (last) {
    index_.frames.push_back(open_);
    open_ = {};
  }
  return true;
}

std::vector<std::byte> encode(const Index& index) {
  const IndexHeader header{index.first_frame, index.frames.size(), index.annotations.size()};
  std::vector<std::byte> bytes(sizeof header + index.frames.size() * sizeof(FrameEntry) +
                               index.annotations.size() * sizeof(uint64_t));
  std::byte* to = bytes.data();
  const auto put = [&](const void* data, size_t size) {
    if (size) std::memcpy(to, data, size);
    to += size;
  };
  put(&header, sizeof header);
  put(index.frames.data(), index.frames.size() * sizeof(FrameEntry));
  put(index.annotations.data(), index.annotations.size() * sizeof(uint64_t));
  return bytes;
}

bool decode(std::span<const std::byte> bytes, Index& index) {
  IndexHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  const size_t rest = bytes.size() - sizeof header;
  if (header.frames > rest / sizeof(FrameEntry) || header.annotation_chunks > rest / sizeof(uint64_t) ||
      header.frames * sizeof(FrameEntry) + header.annotation_chunks * sizeof(uint64_t) != rest)
    return false;
  index.first_frame = header.first_frame;
  index.frames.resize(header.frames);
  index.annotations.resize(header.annotation_chunks);
  const std::byte* from = bytes.data() + sizeof header;
  if (header.frames)
    std::memcpy(static_cast<void*>(index.frames.data()), from, header.frames * sizeof(FrameEntry));
  from += header.frames * sizeof(FrameEntry);
  if (header.annotation_chunks)
    std::memcpy(index.annotations.data(), from, header.annotation_chunks * sizeof(uint64_t));
  return true;
}

}  // namespace cutaway::capture
