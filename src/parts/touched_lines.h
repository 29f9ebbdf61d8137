#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory.h"

namespace cutaway::parts {

// Which lines of memory caches were asked for, each counted once: by a piece of work in one cache, by a piece
// of work in all caches, and by all work. Caches note a line again whenever they do not know that they have
// noted it; that changes nothing.
class TouchedLines {
 public:
  // Lines of the caches of a kind, for a piece of work.
  struct Footprint {
    uint64_t bytes = 0;                 // of different lines
    uint64_t first_touches = 0;         // lines, different ones of each cache: summed over the caches
    std::vector<uint64_t> cache_bytes;  // of different lines, by cache
  };

  // Addresses of lines are multiples of 64, and all caches have lines of one size.
  void touch(uint32_t work, uint32_t cache, arch::Address line, uint32_t bytes);

  // An empty one where the work touched none. works count from the first since clear().
  const Footprint& of(uint32_t work) const;
  uint64_t bytes() const { return bytes_; }  // of different lines, of all work
  // Forgets everything; work is at least `next` from now on.
  void clear(uint32_t next);

 private:
  static constexpr uint32_t kAll = ~0u;  // caches; work
  struct Key {
    uint64_t line = 0;  // 0: the place is free; else address / 64 + 1
    uint32_t work = 0, cache = 0;
    bool operator==(const Key&) const = default;
  };

  bool insert(const Key& key);  // false: it was there
  Key& place_of(const Key& key);
  void grow();

  uint32_t first_ = 0;
  std::vector<Footprint> footprints_;  // by work, from first_
  uint64_t bytes_ = 0;
  std::vector<Key> keys_ = std::vector<Key>(1024);  // a hash table; a power of 2
  size_t used_ = 0;
};

}  // namespace cutaway::parts
