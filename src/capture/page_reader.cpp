#include "capture/page_reader.h"

#include <algorithm>

#include "arch/memory.h"
#include "base/error.h"

namespace cutaway::capture {

std::span<const std::byte> PageReader::run(uint64_t number, uint64_t most) {
  CUTAWAY_CHECK(number < pages());
  const auto found = std::upper_bound(index_.pages.begin(), index_.pages.end(), number,
                                      [](uint64_t n, const PageChunkEntry& entry) { return n < entry.end; });
  const auto entry = static_cast<size_t>(found - index_.pages.begin());
  const uint64_t first = entry ? index_.pages[entry - 1].end : 0;
  const Chunk& chunk = load(entry);
  const uint64_t count = std::min(most, found->end - number);
  return std::span(chunk.bytes).subspan((number - first) * arch::kPageBytes, count * arch::kPageBytes);
}

const PageReader::Chunk& PageReader::load(size_t entry) {
  if (const auto cached = by_entry_.find(entry); cached != by_entry_.end()) {
    chunks_.splice(chunks_.begin(), chunks_, cached->second);
    return chunks_.front();
  }
  const PageChunkEntry& place = index_.pages[entry];
  const uint64_t count = place.end - (entry ? index_.pages[entry - 1].end : 0);
  const ChunkHeader header = read_chunk_header(file_, place.offset);
  if (static_cast<ChunkKind>(header.kind) != ChunkKind::kPages ||
      header.raw_bytes != count * arch::kPageBytes)
    altered(file_.path(), place.offset, "frame index");

  Chunk chunk{entry, {}};
  if (chunks_.size() == kCachedChunks) {  // reuses the least recently used buffer
    chunk.bytes = std::move(chunks_.back().bytes);
    by_entry_.erase(chunks_.back().entry);
    chunks_.pop_back();
  }
  read_chunk(file_, place.offset, header, stored_, chunk.bytes);
  chunks_.push_front(std::move(chunk));
  by_entry_[entry] = chunks_.begin();
  return chunks_.front();
}

}  // namespace cutaway::capture
