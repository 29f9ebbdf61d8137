#pragma once

#include <list>
#include <span>
#include <unordered_map>
#include <vector>

#include "capture/index.h"

namespace cutaway::capture {

// Reads the pages of a capture by number, through a small cache of decompressed chunks. Both arguments must
// outlive it. For one thread at a time.
class PageReader {
 public:
  PageReader(const InputFile& file, const Index& index) : file_(file), index_(index) {}

  uint64_t pages() const { return index_.pages.empty() ? 0 : index_.pages.back().end; }

  // The bytes of page `number` and the pages after it in the same chunk, at most `most` pages; valid until
  // the next call. UserError: the capture is damaged. number < pages().
  std::span<const std::byte> run(uint64_t number, uint64_t most);

 private:
  static constexpr size_t kCachedChunks = 32;  // of kMaxPageChunkBytes

  struct Chunk {
    size_t entry = 0;  // index into index_.pages
    std::vector<std::byte> bytes;
  };
  const Chunk& load(size_t entry);

  const InputFile& file_;
  const Index& index_;
  std::list<Chunk> chunks_;  // most recently used first
  std::unordered_map<size_t, std::list<Chunk>::iterator> by_entry_;
  std::vector<std::byte> stored_;
};

}  // namespace cutaway::capture
