#pragma once

#include <cstdint>
#include <vector>

#include "capture/file.h"

namespace cutaway::capture {

// Offsets of the frames, pages and annotations of a capture.
struct Index {
  uint64_t first_frame = 1;
  std::vector<FrameEntry> frames;  // whole frames, without gaps
  std::vector<PageChunkEntry> pages;
  std::vector<uint64_t> annotations;
  // Set by a scan, not stored: the offsets after the last chunk, and after the last chunk of each frame.
  uint64_t end = 0;
  std::vector<uint64_t> frame_ends;
  bool operator==(const Index& other) const {
    return first_frame == other.first_frame && frames == other.frames && pages == other.pages &&
           annotations == other.annotations;
  }
  // Keeps only the first `count` frames, and of the other chunks those before the end of the last kept frame.
  void keep_frames(size_t count);
};

// Collects the index chunk by chunk. Events after the last whole frame belong to no frame.
class IndexBuilder {
 public:
  // Returns false if this chunk is illegal at this place.
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
// Returns false if the bytes are not an index.
bool decode(std::span<const std::byte> bytes, Index& index);

// Completes a file of whole chunks with index and trailer. UserError: disk full. level: zstd's.
void append_index(WholeFile& file, const Index& index, int level);
// Completes a file that ends anywhere and gives it its final name. Keeps the whole frames of the index (at
// least one), or fewer if the disk is full and the index needs their room. Returns the number of frames kept.
size_t close_whole_frames(WholeFile& file, Index index, int level);

}  // namespace cutaway::capture
