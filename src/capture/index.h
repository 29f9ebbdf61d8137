#pragma once

#include <cstdint>
#include <vector>

#include "capture/file.h"

namespace cutaway::capture {

// Where the frames, pages and annotations of a capture begin.
struct Index {
  uint64_t first_frame = 1;
  std::vector<FrameEntry> frames;  // of whole frames, without gaps
  std::vector<PageChunkEntry> pages;
  std::vector<uint64_t> annotations;
  uint64_t end = 0;  // offset after the last chunk that the scan found
  bool operator==(const Index& other) const {
    return first_frame == other.first_frame && frames == other.frames && pages == other.pages &&
           annotations == other.annotations;
  }
};

// Collects the index chunk by chunk. Events after the last whole frame belong to no frame.
class IndexBuilder {
 public:
  // False: this chunk cannot stand here.
  bool add(uint64_t offset, const ChunkHeader& header);
  const Index& index() const { return index_; }

 private:
  bool add_pages(uint64_t offset, const ChunkHeader& header);
  bool add_key_frame(uint64_t offset, const ChunkHeader& header);
  bool add_events(uint64_t offset, const ChunkHeader& header);

  Index index_;
  FrameEntry open_;
  uint64_t frame_ = 0, key_frame_ = 0;
  bool key_open_ = false;
};

std::vector<std::byte> encode(const Index& index);
// False: not an index.
bool decode(std::span<const std::byte> bytes, Index& index);

}  // namespace cutaway::capture
